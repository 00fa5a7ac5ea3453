import { BaseWindow, type Event, powerMonitor } from 'electron'
import type { Quitting } from '../desktop/quitting.ts'

/** Holds the system's shutdown up until worlds are saved: then the program quits, and the system goes on. */
export interface ShutdownHold {
  /** Linux and macOS tell the program. Windows tells its windows, each of which has to be given to this. */
  hear: (window: BaseWindow) => void
  /** No window is open any more: on Windows one is there then that is never shown, and hears it. */
  alone: () => void
}

/**
 * @param show opens a window. Windows lets nobody hold it up who shows none: it would end the program at once.
 */
export function holdShutdown(
  quitting: Pick<Quitting, 'closed' | 'demand'>,
  show: () => void,
  platform: NodeJS.Platform = process.platform,
): ShutdownHold {
  let ear: BaseWindow | null = null
  const hold = (event?: Pick<Event, 'preventDefault'>) => {
    if (quitting.closed) return
    event?.preventDefault()
    void quitting.demand()
    if (ear) show()
  }
  // Its event is in Electron's documentation and missing in its types.
  powerMonitor.on('shutdown', (event?: Event) => hold(event))
  const hearFrom = (window: BaseWindow) => {
    window.on('query-session-end', (event) => hold(event))
    // Where the person, or the system, did not wait.
    window.on('session-end', () => hold())
  }
  return {
    hear(window) {
      hearFrom(window)
      ear?.destroy()
      ear = null
    },
    alone() {
      if (platform !== 'win32' || ear || quitting.closed) return
      ear = new BaseWindow({ show: false })
      hearFrom(ear)
    },
  }
}
