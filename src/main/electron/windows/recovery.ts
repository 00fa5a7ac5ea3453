import { type BrowserWindow, dialog } from 'electron'
import { Recoveries } from '../../desktop/windows/window-state.ts'
import { texts } from './dialogs.ts'

/** Time a window gets to close after everything stopped, in ms; the same as Electron's for unresponsive pages. */
const CLOSING_MS = 5000

export function recoverFromCrashes(window: BrowserWindow, ending: () => boolean): void {
  const recoveries = new Recoveries()
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    if (ending()) return window.destroy()
    if (recoveries.crashed(performance.now()) === 'reload') return window.webContents.reload()
    void askAfterCrashes(window).then((again) => {
      if (window.isDestroyed()) return
      if (ending()) return window.destroy()
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

export function askWhileHanging(window: BrowserWindow, ending: () => boolean): void {
  let asking: AbortController | null = null
  window.on('unresponsive', () => {
    if (ending()) return window.destroy()
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
      if (asking === now) asking = null
      // Reloads like after any crash.
      if (response === 1 && !now.signal.aborted && !window.isDestroyed())
        window.webContents.forcefullyCrashRenderer()
    })
  })
  // Reset now: it may hang again before the dialog closes.
  const over = () => void (asking = asking?.abort() ?? null)
  window.on('responsive', over).on('closed', over)
}

/**
 * Keeps a hanging page from blocking exit: it would keep its window and thereby the program. While a window shows a
 * question, Electron does not report it as hanging.
 */
export function closeInTime(window: BrowserWindow, ending: () => boolean): void {
  let timer: NodeJS.Timeout | undefined
  window.on('close', () => {
    if (ending()) timer ??= setTimeout(() => window.destroy(), CLOSING_MS)
  })
  window.on('closed', () => clearTimeout(timer))
}
