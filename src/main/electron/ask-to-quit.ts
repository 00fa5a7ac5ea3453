import { type BrowserWindow, dialog } from 'electron'
import { howToQuit, type QuitQuestionPorts } from '../desktop/quit-question.ts'
import { isNotHandedOver } from '../local/background/hand-over.ts'
import { texts } from './windows/texts.ts'

/** Asks a person, before a window where there is one, what becomes of running servers. */
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

/** Says where servers that were to run on may not: they are not there, and the window that could say it is about to go. */
export const tellIfNotKept = (error: unknown): void => {
  const { notKeptTitle, notKept } = texts()
  if (isNotHandedOver(error)) dialog.showErrorBox(notKeptTitle, notKept)
}
