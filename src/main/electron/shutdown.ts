import { BaseWindow, type Event, powerMonitor } from 'electron'
import type { QuitSequence } from '../desktop/quitting.ts'

export interface ShutdownHold {
  /** Linux and macOS notify the program; Windows notifies windows, so each must be passed here. */
  hear: (window: BaseWindow) => void
  /** Windows needs a hidden window while none is open. */
  alone: () => void
}

/** @param show opens a window; Windows ends programs without a visible one */
export function holdShutdown(
  quitting: Pick<QuitSequence, 'closed' | 'demand'>,
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
  // Documented by Electron but missing in its types.
  powerMonitor.on('shutdown', (event?: Event) => hold(event))
  const hearFrom = (window: BaseWindow) => {
    window.on('query-session-end', (event) => hold(event))
    // If the user or the system did not wait.
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
