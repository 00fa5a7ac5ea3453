import { fileURLToPath } from 'node:url'
import { BrowserWindow, dialog, nativeTheme } from 'electron'
import { HOME_PLACE } from '../../desktop/alerts/places.ts'
import { type WindowPlacement, zoomed } from '../../desktop/windows/window-state.ts'
import { PAGE_ADDRESS } from './page.ts'
import { texts } from './dialogs.ts'
import { askWhileHanging, closeInTime, recoverFromCrashes } from './recovery.ts'

/** The page's `--ground`, to avoid a flash before the first paint. */
const GROUND = { light: '#f1f3f1', dark: '#0f1210' }
const toMaximize = new WeakSet<BrowserWindow>()

/** @param ending the program must exit: do not ask about unsaved text (the page keeps drafts) or hanging pages */
export function openWindow(
  { bounds, maximized }: WindowPlacement,
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
  // Maximizing earlier would show an empty window.
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
  // A load aborted by closing is no error.
  window.loadURL(`${PAGE_ADDRESS}${at}`).catch(() => undefined)
  return window
}

export function placeOf(window: BrowserWindow): WindowPlacement {
  return { bounds: window.getNormalBounds(), maximized: window.isMaximized() || toMaximize.has(window) }
}

/** The page blocks unloading while it has unsaved text. Electron asks nothing; the window would just stay. */
function askAboutUnsaved(window: BrowserWindow, ending: () => boolean): void {
  window.webContents.on('will-prevent-unload', (event) => {
    if (ending()) return event.preventDefault()
    const words = texts()
    // Electron needs a synchronous reply.
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
