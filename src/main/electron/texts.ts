import { app } from 'electron'
import { type DialogTexts, dialogTexts } from '../desktop/dialog-texts.ts'

/** The words in the system's language. */
export const texts = (): DialogTexts => dialogTexts(app.getLocale())
