import { BrowserWindow, dialog, type OpenDialogOptions, shell } from 'electron'
import type { SystemFiles } from '../../desktop/file-dialogs.ts'

/** Main decides which paths are allowed. */
export const systemFiles = (): SystemFiles => ({
  open: (path) => shell.openPath(path),
  reveal: (path) => shell.showItemInFolder(path),
  async pickFolder(from) {
    const [folder] = await chosen({ defaultPath: from, properties: ['openDirectory', 'createDirectory'] })
    return folder ?? null
  },
  async pickPlace(suggested) {
    const window = BrowserWindow.getFocusedWindow()
    const options = { defaultPath: suggested, properties: ['showOverwriteConfirmation' as const] }
    const { canceled, filePath } = await (window
      ? dialog.showSaveDialog(window, options)
      : dialog.showSaveDialog(options))
    return canceled || filePath === '' ? null : filePath
  },
  pickThere: (what) =>
    chosen({ properties: [what === 'files' ? 'openFile' : 'openDirectory', 'multiSelections'] }),
})

async function chosen(options: OpenDialogOptions): Promise<string[]> {
  const window = BrowserWindow.getFocusedWindow()
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options))
  return canceled ? [] : filePaths
}
