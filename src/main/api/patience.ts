import type { Problem } from '../../contract/bridge/problem.ts'
import { backoffMs } from './retry.ts'

/** A GET is tried so many times more. */
export const RETRIES_MOST = 2
const RETRY_FIRST_MS = 300
const RETRY_LATEST_MS = 3000
/** Trying again after these would only double a long wait. */
const waited = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'TOOK_TOO_LONG',
])

/** How long to wait before the same again, in ms; null where that cannot help. */
export function waitBefore(fault: Problem, tried: number, random: number): number | null {
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
