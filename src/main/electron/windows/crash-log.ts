import { app } from 'electron'
import type { Log } from '../../logging/log.ts'

/** Limit per run: repeated crashes add nothing. */
const WRITTEN_MOST = 200

/** Logs crashed pages and Chromium processes, and hanging pages. Call before any start. */
export function logCrashes(log: Promise<Pick<Log, 'warn'>>): void {
  let written = 0
  const write = (line: (log: Pick<Log, 'warn'>) => void) => {
    if (written++ < WRITTEN_MOST) void log.then(line).catch(() => undefined)
  }
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit')
      write((log) => log.warn('the page of a window is gone', { reason, exitCode }))
  })
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    if (reason !== 'clean-exit')
      write((log) => log.warn('a program of the panel is gone', { type, name, reason, exitCode }))
  })
  app.on('web-contents-created', (_event, contents) => {
    contents.on('unresponsive', () => write((log) => log.warn('the page of a window does not respond')))
    contents.on('responsive', () => write((log) => log.warn('the page of a window responds again')))
  })
}
