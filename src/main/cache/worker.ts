import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './database.ts'
import { createTables, type Tables } from './tables.ts'

/** One request to the worker; without `id` nobody waits for its answer. */
export interface CacheRequest {
  id?: number
  method: keyof Tables
  args: unknown[]
}
export type CacheAnswer =
  { id: number; value: unknown } | { id: number; error: string } | { opened: string | null }

// node:sqlite is synchronous: in this thread it never holds up the calls of main.
const port = parentPort
if (!port) throw new Error('The cache worker runs as a worker thread only.')
const answer = (message: CacheAnswer) => port.postMessage(message)

/** How long a line may wait before it is on disk, in ms. What a crash loses, the service still holds. */
const FLUSH_EVERY = 250

try {
  const tables = createTables(openDatabase((workerData as { file: string }).file))
  const flushing = setInterval(() => tables.flushLines(), FLUSH_EVERY)
  port.on('message', ({ id, method, args }: CacheRequest) => {
    try {
      const value = (tables[method] as (...args: unknown[]) => unknown)(...args)
      if (id !== undefined) answer({ id, value })
    } catch (error) {
      if (id !== undefined) answer({ id, error: String(error) })
    }
    if (method === 'close') {
      clearInterval(flushing)
      port.close()
    }
  })
  answer({ opened: null })
} catch (error) {
  answer({ opened: error instanceof Error ? error.message : String(error) })
  port.close()
}
