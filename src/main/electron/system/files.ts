import { BrowserWindow, dialog, type OpenDialogOptions, shell } from 'electron'
import type { SystemFiles } from '../../desktop/system-files.ts'

/** Opens files and shows them, as main says: which ones may be opened is decided there. */
export const systemFiles = (): SystemFiles => ({
  open: (path) => shell.openPath(path),
  reveal: (path) => shell.showItemInFolder(path),
  async pickFolder(from) {
    const options: OpenDialogOptions = { defaultPath: from, properties: ['openDirectory', 'createDirectory'] }
    const window = BrowserWindow.getFocusedWindow()
    const { canceled, filePaths } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options))
    return canceled ? null : (filePaths[0] ?? null)
  },
})
