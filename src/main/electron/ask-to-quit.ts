import { type BrowserWindow, dialog } from 'electron'
import { howToQuit, type QuitQuestionPorts } from '../desktop/quit-question.ts'
import { texts } from './texts.ts'

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
