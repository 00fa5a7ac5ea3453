import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { Allowance } from './allowance.ts'
import { LogFile } from './log-file.ts'
import { Redactor, withoutSecrets } from './redact.ts'

const FILE_MOST_BYTES = 5 * 1024 * 1024
/** Longer entries are cut to `KEPT_OF_CUT`. Characters. */
const LINE_MOST = 8 * 1024
const KEPT_OF_CUT = 2 * 1024
/** How much of an entry is searched for secrets; nothing beyond this ends up in a cut entry. Characters. */
const READ_MOST = 64 * 1024

type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LoggerOptions {
  folder: string
  name: string
  level?: LogLevel
  fileMostBytes?: number
  /** Receives every written entry, and those logged after closing. */
  also?: (line: string) => void
}

export interface OpenLogger {
  logger: Logger
  readonly path: string
  /** Redacts this value from now on. Returns a function that undoes it. */
  hide: (secret: string) => () => void
  flush: () => Promise<void>
  close: () => Promise<void>
}

/** Limits file size, entry size and rate, and redacts secrets. Touches the disk only with the first entry. */
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
      // `withoutSecrets` serializes errors; pino would copy all their fields.
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

/** pino entries begin with `{"level":30,`. */
const levelOf = (line: string): number => Number(line.slice(9, 11))

function cut(line: string): string {
  if (line.length <= LINE_MOST) return line
  const [level, time, msg] = [levelOf(line), Date.now(), 'an entry was too long: this is its beginning']
  return `${JSON.stringify({ level, time, msg, beginning: line.slice(0, KEPT_OF_CUT) })}\n`
}
