import { app } from 'electron'
import type { Settings } from '../../../contract/bridge/values.ts'
import { type DialogTexts, dialogTexts } from '../../desktop/dialog-texts.ts'

let chosen: Settings['language'] = 'system'

export const speak = (language: Settings['language']): void => void (chosen = language)

/** The chosen language or the system's, as a BCP 47 tag. */
export const spokenLanguage = (): string => (chosen === 'system' ? app.getLocale() : chosen)

export const texts = (): DialogTexts => dialogTexts(spokenLanguage())
