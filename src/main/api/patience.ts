import type { Problem } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../base/problem.ts'
import { backoffMs, type Clock } from '../base/retry.ts'

export const RETRIES_MOST = 2
const RETRY_FIRST_MS = 300
const RETRY_LATEST_MS = 3000
/** Retrying these would only double a long wait. */
const waited = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'TOOK_TOO_LONG',
])

/** Milliseconds before the next try; null if retrying can't help. */
function waitBefore(fault: Problem, tried: number, random: number): number | null {
  if (!fault.retryable) return null
  const backoff = backoffMs(tried, RETRY_FIRST_MS, RETRY_LATEST_MS, random)
  const asked = fault.retryAfter === undefined ? null : fault.retryAfter * 1000
  switch (fault.code) {
    case 'offline':
      return waited.has(fault.detail ?? '') ? null : backoff
    case 'service-failed':
      return asked ?? backoff
    case 'rate-limited':
      return asked
    default:
      return null
  }
}

/** `late` receives the callback that reports the service as down; it runs only if the call is given up. */
export type PatientCall<T> = (late: (tell: () => void) => void) => Promise<T>

/** Reports the service as down only after the last try: one broken connection proves nothing. */
export async function patiently<T>(
  run: PatientCall<T>,
  given: { clock: Clock; signal: AbortSignal | undefined; most: number; within: number },
): Promise<T> {
  const { clock, signal, most, within } = given
  const latest = clock.elapsed() + within
  for (let tried = 0; ; tried++) {
    let tell = () => {}
    try {
      return await run((one) => (tell = one))
    } catch (fault) {
      const again = tried < most && fault instanceof PanelProblem
      const wait = again ? waitBefore(fault.problem, tried, clock.random()) : null
      if (wait === null || clock.elapsed() + wait > latest) {
        tell()
        throw fault
      }
      await clock.sleep(wait, signal)
    }
  }
}

export type Reachability = { kind: 'reached' } | { kind: 'failed'; problem: Problem }

/** Reports reachability in the order in which exchanges began, not ended. */
export class ReachabilityTracker {
  readonly #tell: (reach: Reachability) => void
  #begun = 0
  #reached = 0

  constructor(tell: (reach: Reachability) => void) {
    this.#tell = tell
  }

  begin(): { reached(): void; failed(fault: unknown): void } {
    const at = ++this.#begun
    return {
      reached: () => {
        this.#reached = Math.max(this.#reached, at)
        this.#tell({ kind: 'reached' })
      },
      failed: (fault) => {
        const away = fault instanceof PanelProblem && ['offline', 'untrusted'].includes(fault.problem.code)
        // Ignore a failure if a later exchange got through.
        if (away && at > this.#reached) this.#tell({ kind: 'failed', problem: fault.problem })
      },
    }
  }
}
