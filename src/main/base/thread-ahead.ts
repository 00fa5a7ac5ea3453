import { existsSync } from 'node:fs'
import { type ResourceLimits, Worker } from 'node:worker_threads'

const ahead = new Map<string, { worker: Worker; forget: () => void }>()

/**
 * Starts a worker thread early, so it loads its code while main loads its own. It stays idle, without keeping the
 * process alive, until `startThread` takes it. From source, threads start late.
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
 * Starts a worker thread or takes one started ahead. The caller handles its errors.
 * @param limits memory limits; ignored for threads started ahead
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
  // Passing data is short-lived; a small young generation keeps it from growing by tens of MB.
  new Worker(file, { name, resourceLimits: { maxYoungGenerationSizeMb: 4, ...limits } })
