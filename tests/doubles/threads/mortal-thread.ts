// A stand-in for what a worker thread holds: it dies when it is told to, of an error that nobody catches, and tells everybody
// what it was asked to open.
import { BroadcastChannel } from 'node:worker_threads'
import { answerAsWorker } from '../../../src/main/base/worker-thread.ts'

const told = new BroadcastChannel('worker-thread.stand-in')
told.unref()

const mortal = (name: string) => ({
  hello: () => `hello from ${name}`,
  /** Never answers: the thread is gone before it could. */
  die: () =>
    new Promise<void>(() =>
      setImmediate(() => {
        throw new Error('nobody catches this')
      }),
    ),
  close: () => undefined,
})

export function createMortal(name: string): ReturnType<typeof mortal> {
  told.postMessage(name)
  return mortal(name)
}

answerAsWorker(createMortal)
