import { type BrowserWindow, dialog } from 'electron'
import { howToQuit, type QuitQuestionPorts } from '../desktop/quit-question.ts'
import { isNotHandedOver } from '../local/background/hand-over.ts'
import { texts } from './windows/texts.ts'

export const askToQuit = (
  window: BrowserWindow | null,
  running: number | null,
  prepare: QuitQuestionPorts['prepare'],
) =>
  howToQuit({
    ...{ words: texts(), running, prepare, tell: (title, text) => dialog.showErrorBox(title, text) },
    show: async (options) =>
      (await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options))).response,
  })

/** Servers that were to continue in the background are not running; the window that could say so is closing. */
export const tellIfNotKept = (error: unknown): void => {
  const { notKeptTitle, notKept } = texts()
  if (isNotHandedOver(error)) dialog.showErrorBox(notKeptTitle, notKept)
}
