import type { Stop } from '../../contract/bridge/bridge.ts'

/** Details of an entry. Values under names such as `token`, `password` or `authorization` are left out of the file. */
export type LogFields = Record<string, unknown>

/** The log as the rooms of main see it. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A log whose entries all carry these fields. */
  child(fields: LogFields): Log
  /** From now on this value is replaced wherever it occurs in the log. Call it for every token, before it is used. */
  hide(secret: string): Stop
}

/** A log that keeps nothing. */
export const noLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => noLog,
  hide: () => () => {},
}
