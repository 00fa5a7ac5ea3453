import { app } from 'electron'
import type { Settings } from '../../../contract/bridge/values.ts'
import { type DialogTexts, dialogTexts } from '../../desktop/dialog-texts.ts'

let chosen: Settings['language'] = 'system'

/** Dialogs and menus that come from now on are in this language. */
export const speak = (language: Settings['language']): void => void (chosen = language)

/** What is spoken now: what the person chose, or the system's. A BCP 47 tag. */
export const spokenLanguage = (): string => (chosen === 'system' ? app.getLocale() : chosen)

/** The words of dialogs in the language that is spoken. */
export const texts = (): DialogTexts => dialogTexts(spokenLanguage())
