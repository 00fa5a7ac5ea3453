import { refusal, type Refusal } from '../../../host/refusal.ts'
import type { RemotePlace } from './restic-program.ts'

const NO_PROGRAM = /exec: "(ssh|rclone)[^"]*": executable file not found/i
const HOST_KEY = /host key verification failed|remote host identification has changed/i
const DENIED =
  /permission denied|authentication fail|unable to authenticate|access ?denied|forbidden|unauthorized|\b40[13]\b|invalidaccesskeyid|signaturedoesnotmatch|invalid_grant|bad_auth_token|(?:couldn't|didn't) find section/i
/** restic's SFTP doesn't connect again. */
const SSH_ENDED = /ssh command exited|connection lost/i
const NO_SESSION = /unable to start the sftp session/i
const NOT_REACHED =
  /connection (?:refused|reset|closed|timed out)|i\/o timeout|no such host|could not resolve|no route to host|network is unreachable|host is down|broken pipe|unexpected eof|tls:|x509:|deadline exceeded|\b50[23]\b/i

export const notReached = (): Refusal => refusal(503, 'backups.target-not-reached')

/** What trying again doesn't mend; null for everything else. */
export function lastingFailureOf(errors: string): Refusal | null {
  const program = NO_PROGRAM.exec(errors)?.[1]
  if (program !== undefined) return refusal(409, 'backups.target-program', { program })
  if (HOST_KEY.test(errors)) return refusal(409, 'backups.host-key-changed')
  if (DENIED.test(errors)) return refusal(409, 'backups.target-denied')
  return SSH_ENDED.test(errors) ? notReached() : null
}

/** Null if it has nothing to do with where the repository is. */
export const remoteFailureOf = (errors: string): Refusal | null =>
  lastingFailureOf(errors) ?? (NOT_REACHED.test(errors) || NO_SESSION.test(errors) ? notReached() : null)

export const withoutSecrets = (words: string, { secrets }: RemotePlace): string =>
  secrets.filter((secret) => secret !== '').reduce((rest, secret) => rest.replaceAll(secret, '…'), words)
