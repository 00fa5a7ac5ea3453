import path from 'node:path'
import { openLogger, type OpenLogger } from '../../host/logging/open-logger.ts'

/** Each of the two files, in bytes. */
const FILE_MOST_BYTES = 8 * 1024 * 1024

/** The service's log: `logs/service.log` in the data folder and its predecessor, and stderr too where asked. */
export function openLog(dataDir: string, verbose: boolean): Pick<OpenLogger, 'logger' | 'close'> {
  // What is logged after the end goes to stderr: it must neither be lost nor be the end of the process.
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
