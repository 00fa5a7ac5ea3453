import path from 'node:path'
import { openLogger, type OpenLogger } from '../../host/logging/open-logger.ts'

const FILE_MOST_BYTES = 8 * 1024 * 1024

/** Logs to `logs/service.log` in the data folder, one rotated file, and optionally stderr. */
export function openLog(dataDir: string, verbose: boolean): Pick<OpenLogger, 'logger' | 'close'> {
  // After closing, log to stderr: don't lose the message, don't crash.
  let open = true
  const { logger, close } = openLogger({
    folder: path.join(dataDir, 'logs'),
    name: 'service.log',
    fileMostBytes: FILE_MOST_BYTES,
    also: (line) => void (verbose || !open ? process.stderr.write(line) : undefined),
  })
  return {
    logger,
    async close() {
      await close()
      open = false
    },
  }
}
