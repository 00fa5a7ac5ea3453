import type { Stop } from '../../contract/bridge/bridge.ts'

/** Values under names such as `token`, `password` or `authorization` are not written. */
export type LogFields = Record<string, unknown>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  child(fields: LogFields): Log
  /** Redacts this value in the log from here on. Call it for every token before use. */
  hide(secret: string): Stop
}

export const noLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => noLog,
  hide: () => () => {},
}
