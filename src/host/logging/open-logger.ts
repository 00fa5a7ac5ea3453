import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { Allowance } from './allowance.ts'
import { LogFile } from './log-file.ts'
import { Redactor, withoutSecrets } from './redact.ts'

/** Each of the two files, in bytes. */
const FILE_MOST_BYTES = 5 * 1024 * 1024
/** An entry is cut beyond this, in characters; that much of a cut one is kept. */
const LINE_MOST = 8 * 1024
const KEPT_OF_CUT = 2 * 1024
/** What is looked through for secrets: of a longer entry nothing behind this can be in what is kept. */
const READ_MOST = 64 * 1024

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LoggerOptions {
  /** It is made when the first entry is written. */
  folder: string
  /** Name of the file; its predecessor's ends in `.1`. */
  name: string
  level?: LogLevel
  fileMostBytes?: number
  /** Is given each entry that is written too, and what comes after the end. */
  also?: (line: string) => void
}

/** A log with its file. */
export interface OpenLogger {
  logger: Logger
  /** The file that is being written. */
  readonly path: string
  /** From now on this value is replaced wherever it occurs. */
  hide: (secret: string) => () => void
  /** Resolves when everything logged so far is in the file. */
  flush: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens a log whose files, entries and entries in a second are bounded, and which leaves out what is named like a secret.
 * Touches no disk before the first entry, and then behind the caller.
 */
export function openLogger({ folder, name, level = 'info', ...options }: LoggerOptions): OpenLogger {
  const file = new LogFile(join(folder, name), options.fileMostBytes ?? FILE_MOST_BYTES)
  const redactor = new Redactor()
  const put = (line: string) => {
    const clean = cut(redactor.clean(line.length > READ_MOST ? `${line.slice(0, READ_MOST)}\n` : line))
    file.write(clean)
    options.also?.(clean)
  }
  const allowance = new Allowance(put)
  const logger = pino(
    {
      level,
      base: undefined,
      // Errors are made plain by `withoutSecrets`; pino's own way would copy every field of theirs.
      serializers: {},
      formatters: { log: (fields) => withoutSecrets(fields) as Record<string, unknown> },
    },
    {
      write: (line: string) => {
        if (allowance.takes(levelOf(line), line.length)) put(line)
      },
    },
  )
  const lastWords = () => {
    allowance.tell()
    file.flushSync()
  }
  process.once('exit', lastWords)
  return {
    logger,
    path: file.path,
    hide: (secret) => redactor.hide(secret),
    flush: () => file.flush(),
    close: async () => {
      process.off('exit', lastWords)
      allowance.close()
      await file.close()
    },
  }
}

/** pino begins every entry with `{"level":30,`. */
const levelOf = (line: string): number => Number(line.slice(9, 11))

function cut(line: string): string {
  if (line.length <= LINE_MOST) return line
  const [level, time, msg] = [levelOf(line), Date.now(), 'an entry was too long: this is its beginning']
  return `${JSON.stringify({ level, time, msg, beginning: line.slice(0, KEPT_OF_CUT) })}\n`
}
