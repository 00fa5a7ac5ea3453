import type { Stop } from '../../contract/bridge/bridge.ts'
import { sftpAccess } from '../../contract/rules/sftp.ts'
import type { Log } from '../logging/log.ts'

/** Redacts a token in the log, and the password or key that one of SFTP has in it. */
export function hideToken(log: Log, token: string): Stop {
  const stops = [token, sftpAccess(token)?.secret].flatMap((secret) => (secret ? [log.hide(secret)] : []))
  return () => stops.forEach((stop) => stop())
}
