// A stand-in for what a worker thread holds: it dies when it is told to, of an error that nobody catches.
import { answerAsWorker } from './worker-thread.ts'

export const createMortal = (name: string) => ({
  hello: () => `hello from ${name}`,
  /** Never answers: the thread is gone before it could. */
  die: () =>
    new Promise<void>(() =>
      setImmediate(() => {
        throw new Error('nobody catches this')
      }),
    ),
  rest: () => undefined,
  close: () => undefined,
})

answerAsWorker(createMortal)
