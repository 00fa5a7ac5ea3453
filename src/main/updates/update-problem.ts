import type { Problem, ProblemCode } from '../../contract/bridge/problem.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { reasonOf } from '../../host/disk-errors.ts'
import { type ProblemFields, problemOf as plainProblem } from '../base/problem.ts'

export type Step = 'check' | 'download'

/** `computer.update` keeps phrases about services out of the message. */
const problemOf = (code: ProblemCode, said: LocalizedText, extra: ProblemFields = {}): Problem =>
  plainProblem(code, said, { serviceCode: 'computer.update', ...extra })

export function updateProblem(step: Step, error: unknown): Problem {
  const { code = '', message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  const said = String(code)
  if (said === 'ENOSPC' || said === 'EDQUOT') return problemOf('too-large', localized('update.disk-full'))
  if (said === 'ERR_CHECKSUM_MISMATCH')
    return problemOf('incompatible', localized('update.wrong-checksum'), { retryable: true })
  if (said === 'ERR_UPDATER_INVALID_SIGNATURE')
    return problemOf('untrusted', localized('update.wrong-signature'))
  if (NO_RELEASE.has(said)) return problemOf('not-found', localized('update.no-release'), { retryable: true })
  if (UNREADABLE.has(said))
    return problemOf('incompatible', localized('update.unreadable'), { retryable: true })
  if (CUT_OFF.has(said) || /aborted|timed out|CONNECTION_RESET|CONNECTION_CLOSED/.test(message))
    return problemOf('offline', localized(step === 'download' ? 'update.cut-off' : 'update.unreachable'))
  if (UNREACHABLE.has(said) || /net::ERR_/.test(message))
    return problemOf('offline', localized('update.unreachable'))
  if (FILES.has(said))
    return problemOf('local-failed', localized('update.not-kept', { why: reasonOf(error) }))
  return problemOf('service-failed', localized('update.server-failed'))
}

const NO_RELEASE: ReadonlySet<string> = new Set([
  'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND',
  'ERR_UPDATER_LATEST_VERSION_NOT_FOUND',
  'ERR_UPDATER_NO_PUBLISHED_VERSIONS',
  // A repository without releases.
  'ERR_XML_MISSED_ELEMENT',
])
const UNREADABLE: ReadonlySet<string> = new Set([
  'ERR_UPDATER_INVALID_RELEASE_FEED',
  'ERR_UPDATER_INVALID_UPDATE_INFO',
  'ERR_UPDATER_INVALID_VERSION',
  'ERR_UPDATER_NO_FILES_PROVIDED',
  'ERR_UPDATER_NO_CHECKSUM',
  'ERR_UPDATER_ASSET_NOT_FOUND',
])
const CUT_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
])
const FILES: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EISDIR'])
