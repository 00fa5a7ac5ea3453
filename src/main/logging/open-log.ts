import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { Log, LogFields } from './log.ts'
import { LogFile } from './log-file.ts'
import { Redactor, withoutSecrets } from './redact.ts'

/** Each of the two files, in bytes. */
const FILE_MOST_BYTES = 5 * 1024 * 1024

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogOptions {
  /** Folder of `panel.log` and `panel.log.1`. It is made when the first entry is written. */
  folder: string
  level?: LogLevel
  fileMostBytes?: number
}

/** The log of the panel with its file. */
export interface OpenLog extends Log {
  /** The file that is being written. */
  readonly path: string
  /** Resolves when everything logged so far is in the file. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Opens the panel's log. Touches no disk before the first entry, and then behind the caller. */
export function openLog(options: LogOptions): OpenLog {
  const file = new LogFile(join(options.folder, 'panel.log'), options.fileMostBytes ?? FILE_MOST_BYTES)
  const redactor = new Redactor()
  const root = pino(
    {
      level: options.level ?? 'info',
      base: undefined,
      // Errors are made plain by `withoutSecrets`; pino's own way would copy every field of theirs.
      serializers: {},
      formatters: { log: (fields) => withoutSecrets(fields) as LogFields },
    },
    { write: (line: string) => file.write(redactor.clean(line)) },
  )
  const lastWords = () => file.flushSync()
  process.once('exit', lastWords)
  return {
    ...facade(root, redactor),
    path: file.path,
    flush: () => file.flush(),
    close: async () => {
      process.off('exit', lastWords)
      await file.close()
    },
  }
}

function facade(logger: Logger, redactor: Redactor): Log {
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    child: (fields) => facade(logger.child(withoutSecrets(fields) as LogFields), redactor),
    hide: (secret) => redactor.hide(secret),
  }
}
