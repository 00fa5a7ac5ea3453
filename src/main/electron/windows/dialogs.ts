import { app, type BrowserWindow, dialog } from 'electron'
import type { Settings } from '../../../contract/bridge/values.ts'
import { type DialogTexts, dialogTexts } from '../../desktop/dialog-texts.ts'
import { howToQuit, type QuitQuestionPorts } from '../../desktop/quit-question.ts'
import { isNotHandedOver } from '../../local/background/hand-over.ts'

let chosen: Settings['language'] = 'system'

export const speak = (language: Settings['language']): void => void (chosen = language)

/** The chosen language or the system's, as a BCP 47 tag. */
export const spokenLanguage = (): string => (chosen === 'system' ? app.getLocale() : chosen)

export const texts = (): DialogTexts => dialogTexts(spokenLanguage())

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
