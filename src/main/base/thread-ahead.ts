import { existsSync } from 'node:fs'
import { type ResourceLimits, Worker } from 'node:worker_threads'

const ahead = new Map<string, { worker: Worker; forget: () => void }>()

/**
 * Starts a worker thread before the rest of the program is loaded: while main reads its own code, the thread reads its own.
 * It is unused until `startThread` wants it, and until then keeps nothing running. From source it starts later.
 */
export function startAhead(program: string): void {
  const built = beside(program)
  if (ahead.has(program) || !existsSync(built)) return
  const worker = run(built, program)
  worker.unref()
  const forget = () => void ahead.delete(program)
  worker.once('error', forget).once('exit', forget)
  ahead.set(program, { worker, forget })
}

/**
 * Starts a worker thread, or answers the one that was started ahead. Its errors are the caller's from now on.
 *
 * @param limits of its memory, where it is not started ahead
 */
export function startThread(program: string, source: URL, limits: ResourceLimits = {}): Worker {
  const early = ahead.get(program)
  if (early) {
    ahead.delete(program)
    const { worker, forget } = early
    worker.off('error', forget).off('exit', forget)
    worker.ref()
    return worker
  }
  const built = beside(program)
  return run(existsSync(built) ? built : source, program, limits)
}

const beside = (program: string) => new URL(`./${program}.js`, import.meta.url)

const run = (file: URL, name: string, limits: ResourceLimits = {}) =>
  // What passes through is short-lived: a small young generation keeps it from growing into tens of megabytes.
  new Worker(file, { name, resourceLimits: { maxYoungGenerationSizeMb: 4, ...limits } })
