import type { Stop } from './change.ts'

/** A port, so that tests drive time by hand. */
export interface Timers {
  after(ms: number, act: () => void): Stop
}

export const systemTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Rejects with the signal's reason. */
export function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = timers.after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    const abort = () => {
      stop()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', abort, { once: true })
  })
}
