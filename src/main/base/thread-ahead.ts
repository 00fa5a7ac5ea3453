import { existsSync } from 'node:fs'
import { type ResourceLimits, Worker } from 'node:worker_threads'

const ahead = new Map<string, { worker: Worker; forget: () => void }>()

/**
 * The thread loads its code while main loads its own. It does not keep the process alive until `startThread` takes it.
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

/** Takes the thread started ahead, if any. The caller handles its errors. */
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
