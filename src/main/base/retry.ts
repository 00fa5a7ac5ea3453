/** Upper bound for a service's wait, in seconds. */
const LONGEST_WAIT_S = 3600

/** `Retry-After` in whole seconds, from seconds or a date (RFC 9110 §10.2.3); null if absent or invalid. */
export function retryAfterSeconds(header: string | null | undefined, now: number): number | null {
  if (!header) return null
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  if (Number.isNaN(seconds)) return null
  return Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT_S)
}

export interface Clock {
  /** Milliseconds since 1970. For display; the user can change it. */
  now(): number
  /** Monotonic milliseconds. For durations. */
  elapsed(): number
  /** Rejects with the signal's reason if aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
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

/** Half fixed, half random, so many panels do not reconnect at the same moment. */
export function backoffMs(attempt: number, firstMs: number, mostMs: number, random: number): number {
  const full = Math.min(firstMs * 2 ** attempt, mostMs)
  return full / 2 + (full / 2) * random
}
