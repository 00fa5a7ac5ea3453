import type { Logger } from 'pino'
import { openLogger, type LoggerOptions, type OpenLogger } from '../../host/logging/open-logger.ts'
import { withoutSecrets } from '../../host/logging/redact.ts'
import type { Log, LogFields } from './log.ts'

/** Folder of `panel.log` and `panel.log.1`. */
export type LogOptions = Omit<LoggerOptions, 'name' | 'also'>

export interface OpenLog extends Log, Pick<OpenLogger, 'path' | 'flush' | 'close'> {}

export function openLog(options: LogOptions): OpenLog {
  const { logger, hide, path, flush, close } = openLogger({ ...options, name: 'panel.log' })
  return { ...facade(logger, hide), path, flush, close }
}

function facade(logger: Logger, hide: OpenLogger['hide']): Log {
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    child: (fields) => facade(logger.child(withoutSecrets(fields) as LogFields), hide),
    hide,
  }
}
