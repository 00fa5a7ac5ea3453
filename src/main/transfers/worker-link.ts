import { existsSync } from 'node:fs'
import { Worker, parentPort, type Transferable } from 'node:worker_threads'

/** Methods of a worker thread as main calls them: each answers a promise. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never
}

interface Request {
  id: number
  method: string
  args: unknown[]
}
type Answer = { id: number; value: unknown } | { id: number; error: string } | { opened: string | null }

/** An answer whose buffers move to main instead of being copied. */
export class Moved {
  readonly value: unknown
  readonly buffers: readonly Transferable[]

  constructor(value: unknown, buffers: readonly Transferable[]) {
    this.value = value
    this.buffers = buffers
  }
}

/**
 * Starts a worker thread whose methods are called by name. Rejects with what it said where it could not begin.
 * @param built its name beside the bundle @param source where its source lies, for tests and development
 */
export async function openWorker<T>(
  built: string,
  source: URL,
  workerData: unknown,
): Promise<{ remote: Remote<T>; end: () => Promise<void> }> {
  const file = new URL(`./${built}.js`, import.meta.url)
  // What passes through is short-lived: a small young generation keeps it from growing into tens of megabytes.
  const worker = new Worker(existsSync(file) ? file : source, {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let nextId = 1
  let closed: Error | null = null
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: Answer) => {
      if ('opened' in message && message.opened === null) resolve()
      else reject(new Error(('opened' in message && message.opened) || 'The worker did not start.'))
    })
  })
  const fail = (error: Error) => {
    closed ??= error
    for (const { reject } of waiting.values()) reject(closed)
    waiting.clear()
  }
  worker.removeAllListeners('error')
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('This worker is closed.')))
  worker.on('message', (message: Answer) => {
    if (!('id' in message)) return
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if ('error' in message) call?.reject(new Error(message.error))
    else call?.resolve(message.value)
  })
  const remote = new Proxy({} as Remote<T>, {
    get(_, name: string) {
      // A promise resolves with an object that has no `then`.
      if (name === 'then') return undefined
      return (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          if (closed) return reject(closed)
          const id = nextId++
          waiting.set(id, { resolve, reject })
          worker.postMessage({ id, method: name, args } satisfies Request)
        })
    },
  })
  return {
    remote,
    end: async () => {
      closed ??= new Error('This worker is closed.')
      await worker.terminate()
    },
  }
}

/** The other side: answers by these methods until the thread is ended. Faults cross as text. */
export function answerAsWorker(open: () => object): void {
  const port = parentPort
  if (!port) throw new Error('This runs as a worker thread only.')
  let methods: Record<string, (...args: unknown[]) => unknown>
  try {
    methods = open() as typeof methods
    port.postMessage({ opened: null } satisfies Answer)
  } catch (error) {
    port.postMessage({ opened: error instanceof Error ? error.message : String(error) } satisfies Answer)
    return port.close()
  }
  const answer = (id: number, value: unknown) => {
    if (value instanceof Moved) port.postMessage({ id, value: value.value }, [...value.buffers])
    else port.postMessage({ id, value } satisfies Answer)
  }
  port.on('message', ({ id, method, args }: Request) => {
    const refuse = (error: unknown) =>
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies Answer)
    try {
      const value = methods[method]?.(...args)
      if (value instanceof Promise) value.then((done) => answer(id, done), refuse)
      else answer(id, value)
    } catch (error) {
      refuse(error)
    }
  })
}
