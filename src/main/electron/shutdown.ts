import { type BrowserWindow, type Event, powerMonitor } from 'electron'
import type { Quitting } from '../desktop/quitting.ts'

/**
 * Holds the system's shutdown up until worlds are saved: then the program quits, and the system goes on. Linux and macOS
 * tell the program. Windows tells its windows, each of which has to be given to what this answers.
 */
export function holdShutdown(quitting: Quitting): (window: BrowserWindow) => void {
  const hold = (event?: Pick<Event, 'preventDefault'>) => {
    if (quitting.closed) return
    event?.preventDefault()
    void quitting.demand()
  }
  // Its event is in Electron's documentation and missing in its types.
  powerMonitor.on('shutdown', (event?: Event) => hold(event))
  return (window) => {
    window.on('query-session-end', (event) => hold(event))
    // Where the person, or the system, did not wait.
    window.on('session-end', () => hold())
  }
}
