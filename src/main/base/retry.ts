/** Longest wait a service can ask for, in seconds. */
const LONGEST_WAIT_S = 3600

/** `Retry-After` in whole seconds, given as seconds or as a date (RFC 9110 §10.2.3); null where absent or nonsense. */
export function retryAfterSeconds(header: string | null | undefined, now: number): number | null {
  if (!header) return null
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  if (Number.isNaN(seconds)) return null
  return Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT_S)
}

/** Time and chance, so that a test can hold them. */
export interface Clock {
  /** Milliseconds since 1970, as the computer's clock says: for what people read. It can be set. */
  now(): number
  /** Milliseconds since some moment: for how long something takes or waits. Nobody can set it. */
  elapsed(): number
  /** Rejects with the signal's reason where it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** 0 ≤ x < 1 */
  random(): number
}

export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/** Half of the wait is fixed and half is chance, so that many panels do not come back at the same moment. */
export function backoffMs(attempt: number, firstMs: number, mostMs: number, random: number): number {
  const full = Math.min(firstMs * 2 ** attempt, mostMs)
  return full / 2 + (full / 2) * random
}
