import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import { texts } from './texts.ts'

/** Asks a person whether running servers may be stopped. */
export async function askToQuit(window: BrowserWindow | null, running: number | null): Promise<boolean> {
  const words = texts()
  const options: MessageBoxOptions = {
    type: 'question',
    title: words.quitTitle,
    message: running === null ? words.quitUnknown : words.quitQuestion(running),
    detail: words.quitDetail,
    buttons: [words.stopAndQuit, words.cancel],
    defaultId: 0,
    cancelId: 1,
  }
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options))
  return response === 0
}
