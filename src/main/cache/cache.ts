import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { StartProblem } from '../../computer/start-problem.ts'
import type { Tables } from './tables.ts'
import type { CacheAnswer, CacheRequest } from './worker.ts'

type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never
}

/** The cache as main uses it: the tables, each method answered by the worker thread. */
export type Cache = Remote<Tables> & {
  /** Adds console lines without waiting; order with later calls is kept. */
  postLines: (...args: Parameters<Tables['appendLines']>) => void
}

/** Beside the bundle in a build, the source next to this file in tests and in development. */
function workerFile(): URL {
  const built = new URL('./cache-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./worker.ts', import.meta.url)
}

/** Opens the cache file in a worker thread. Throws StartProblem where it cannot be opened. */
export async function openCache(file: string): Promise<Cache> {
  const worker = new Worker(workerFile(), { workerData: { file } })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let nextId = 1

  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: CacheAnswer) => {
      if ('opened' in message && message.opened === null) resolve()
      else
        reject(
          new StartProblem(
            'data-not-readable',
            ('opened' in message && message.opened) || 'The cache did not open.',
          ),
        )
    })
  })
  let closed: Error | null = null
  const fail = (error: Error) => {
    closed = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.removeAllListeners('error')
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The cache is closed.')))
  worker.on('message', (message: CacheAnswer) => {
    if (!('id' in message)) return
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if ('error' in message) call?.reject(new Error(message.error))
    else call?.resolve(message.value)
  })

  const post = (request: CacheRequest) => worker.postMessage(request)
  const ask = (method: keyof Tables, args: unknown[]) =>
    new Promise((resolve, reject) => {
      if (closed) return reject(closed)
      const id = nextId++
      waiting.set(id, { resolve, reject })
      post({ id, method, args })
    })
  const methods = new Proxy({} as Cache, {
    get(_, name: string) {
      // A promise resolves with an object that has no `then`.
      if (name === 'then') return undefined
      if (name === 'postLines') return (...args: unknown[]) => post({ method: 'appendLines', args })
      return (...args: unknown[]) => ask(name as keyof Tables, args)
    },
  })
  return methods
}
