import { renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { destination, multistream, pino, type Logger } from 'pino'
import { clearTheWay } from '../computer/set-aside.ts'

/** A log file larger than this is put aside at the start; one older is kept. Bytes. */
const LOG_MAX = 16 * 1024 * 1024

/** The service's log: `logs/service.log` in the data folder, and stderr too where asked. */
export function openLog(dataDir: string, verbose: boolean): { log: Logger; close(): void } {
  const file = path.join(dataDir, 'logs', 'service.log')
  for (const one of [file, `${file}.1`]) clearTheWay(dataDir, one)
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX) renameSync(file, `${file}.1`)
  // Written at once: a line each request is little, and the last lines before an end are the ones that matter.
  const toFile = destination({ dest: file, mode: 0o600, sync: true })
  // A full disk must not end the service and the servers with it.
  toFile.on('error', (error: Error) => process.stderr.write(`The log cannot be written: ${error.message}\n`))
  let open = true
  // What is logged after the end goes to stderr: it must neither be lost nor be the end of the process.
  const guarded = { write: (line: string) => void (open ? toFile.write(line) : process.stderr.write(line)) }
  const stream = verbose ? multistream([{ stream: guarded }, { stream: process.stderr }]) : guarded
  // Secrets are never handed to the log; this is the net under that rule.
  const redact = ['*.password', '*.token', '*.secret', '*.authorization', 'password', 'token', 'secret']
  const log = pino({ base: { pid: process.pid }, redact }, stream)
  return {
    log,
    close() {
      open = false
      toFile.end()
    },
  }
}
