import { type BrowserWindow, dialog } from 'electron'
import { Recoveries } from '../../desktop/recoveries.ts'
import { texts } from '../texts.ts'

/** Loads a page again that crashed; one that keeps crashing is asked about. */
export function recoverFromCrashes(window: BrowserWindow): void {
  const recoveries = new Recoveries()
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    if (recoveries.crashed(performance.now()) === 'reload') return window.webContents.reload()
    void askAfterCrashes(window).then((again) => {
      if (window.isDestroyed()) return
      if (!again) return window.close()
      recoveries.begin()
      window.webContents.reload()
    })
  })
}

async function askAfterCrashes(window: BrowserWindow): Promise<boolean> {
  const words = texts()
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    title: words.crashedTitle,
    message: words.crashedQuestion,
    detail: words.crashedDetail,
    buttons: [words.loadAgain, words.closeWindow],
    defaultId: 0,
    cancelId: 1,
  })
  return response === 0
}

/** Asks about a window that does not respond, until it does again. */
export function askWhileHanging(window: BrowserWindow): void {
  let asking: AbortController | null = null
  window.on('unresponsive', () => {
    if (asking) return
    const words = texts()
    const now = (asking = new AbortController())
    const asked = dialog.showMessageBox(window, {
      type: 'warning',
      title: words.hangingTitle,
      message: words.hangingQuestion,
      detail: words.hangingDetail,
      buttons: [words.wait, words.loadAgain],
      defaultId: 0,
      cancelId: 0,
      signal: now.signal,
    })
    void asked.then(({ response }) => {
      asking = null
      // It is loaded again as after any crash.
      if (response === 1 && !now.signal.aborted && !window.isDestroyed())
        window.webContents.forcefullyCrashRenderer()
    })
  })
  window.on('responsive', () => asking?.abort())
  window.on('closed', () => asking?.abort())
}
