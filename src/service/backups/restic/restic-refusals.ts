import { refusal, type Refusal } from '../../../host/refusal.ts'
import { remoteFailureOf, withoutSecrets } from './remote-failures.ts'
import type { ResticPlace } from './restic-program.ts'

const WORDS_CHARS = 300

export const notFound = (): Refusal => refusal(404, 'backups.not-found')

/** Exit codes since 0.17; older versions only say it. */
const NO_REPOSITORY = 10
const LOCKED = 11
const WRONG_PASSWORD = 12

/** No code of restic's: it was killed, or did not start. */
export const NOT_STARTED = -1

export interface ResticEnd {
  code: number
  /** The last it said. */
  errors: string
}

export const isLocked = ({ code, errors }: ResticEnd): boolean =>
  code === LOCKED || /repository is already locked/i.test(errors)

/** rclone ended before it did anything, and restic before it had read why: asked again, it is usually told. */
export const isUntold = ({ errors }: ResticEnd): boolean =>
  /error talking HTTP to rclone/i.test(errors) && !/^rclone: /m.test(errors)

const DAMAGE =
  /ciphertext verification failed|decrypting blob|does not match|not found in (?:repository|index|snapshot)|invalid data returned|unexpected EOF|no such file|cannot find the (?:file|path)|does not exist|StreamPack|load(?:ing)? (?:tree|index|blob|snapshot)|hash mismatch|repository contains errors|no matching ID/i

const FULL = /no space left on device|not enough space on the disk|disk quota exceeded/i

/** Why restic failed, for a person. */
export function failureOf(
  end: ResticEnd,
  { passwordFile, executable, remote }: Pick<ResticPlace, 'passwordFile' | 'executable' | 'remote'>,
): Refusal {
  const { code } = end
  const errors = remote ? withoutSecrets(end.errors, remote) : end.errors
  if (code === NOT_STARTED && /^spawn /.test(errors))
    return refusal(409, 'backups.restic-missing.unusable', { path: executable })
  if (code === WRONG_PASSWORD || /wrong password|no key found/i.test(errors))
    return refusal(409, 'backups.wrong-password', { file: passwordFile })
  if (isLocked(end)) return refusal(409, 'backups.in-use')
  const ofRemote = remote && remoteFailureOf(errors)
  if (ofRemote) return ofRemote
  if (FULL.test(errors)) return refusal(507, 'backups.store-full')
  if (code === NO_REPOSITORY || /Is there a repository at/i.test(errors))
    return refusal(409, 'backups.store-missing')
  if (DAMAGE.test(errors)) return refusal(409, 'backups.store-damaged')
  return refusal(500, 'backups.restic-failed', { words: lastWords(errors) })
}

/** One line without control characters. */
function lastWords(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replaceAll(/\p{Cc}+/gu, ' ').trim())
  return (lines.findLast((line) => line !== '') ?? '–').slice(0, WORDS_CHARS)
}
