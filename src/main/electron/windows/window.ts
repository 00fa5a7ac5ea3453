import { fileURLToPath } from 'node:url'
import { BrowserWindow, dialog, nativeTheme } from 'electron'
import { HOME_PLACE } from '../../desktop/alerts/places.ts'
import type { WindowPlace } from '../../desktop/windows/window-state.ts'
import { zoomed } from '../../desktop/windows/zoom.ts'
import { PAGE_ADDRESS } from './page.ts'
import { texts } from './texts.ts'
import { askWhileHanging, closeInTime, recoverFromCrashes } from './recovery.ts'

/** The page's `--ground`, so that nothing flashes before it is painted. */
const GROUND = { light: '#f1f3f1', dark: '#0f1210' }
/** Those that are to fill their screen once they show themselves. */
const toMaximize = new WeakSet<BrowserWindow>()

/**
 * Opens a window of the panel at a place of the page; it is shown when the page has been painted.
 * @param ending whether the program ends and can no longer stay: then nobody is asked about unsaved text, of which the
 * page keeps drafts, nor about a page that hangs
 */
export function openWindow(
  { bounds, maximized }: WindowPlace,
  ending: () => boolean = () => false,
  at = HOME_PLACE,
): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    ...bounds,
    minWidth: 720,
    minHeight: 480,
    show: false,
    title: 'Wheelhouse',
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload: fileURLToPath(new URL('../preload/index.cjs', import.meta.url)),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  })
  // Not before: it would show itself while there is nothing to be seen.
  if (maximized) toMaximize.add(window)
  window.once('ready-to-show', () => {
    if (toMaximize.delete(window)) window.maximize()
    window.show()
  })
  const { webContents: page } = window
  page.on('zoom-changed', (_event, direction) => (page.zoomLevel = zoomed(page.zoomLevel, direction)))
  recoverFromCrashes(window, ending)
  askWhileHanging(window, ending)
  closeInTime(window, ending)
  askAboutUnsaved(window, ending)
  // A load that is broken off, by closing the window, is no fault.
  window.loadURL(`${PAGE_ADDRESS}${at}`).catch(() => undefined)
  return window
}

/** What to keep of a window that is about to close. */
export function placeOf(window: BrowserWindow): WindowPlace {
  return { bounds: window.getNormalBounds(), maximized: window.isMaximized() || toMaximize.has(window) }
}

/** The page holds on to unsaved text when it is closed or loaded again. Electron asks nobody by itself: it just stays. */
function askAboutUnsaved(window: BrowserWindow, ending: () => boolean): void {
  window.webContents.on('will-prevent-unload', (event) => {
    if (ending()) return event.preventDefault()
    const words = texts()
    // The event has to be answered at once.
    const choice = dialog.showMessageBoxSync(window, {
      type: 'question',
      title: words.unsavedTitle,
      message: words.unsavedQuestion,
      detail: words.unsavedDetail,
      buttons: [words.stay, words.leave],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    })
    if (choice === 1) event.preventDefault()
  })
}
