import type { MailLanguage } from '../../../../contract/areas/my-account.ts'
import { plainPage } from '../../../../contract/messages/plain-page.ts'

const words = {
  en: {
    title: 'This sign-in cannot continue',
    text:
      'It took too long, was begun in another browser, or has already ended. Nobody was signed in. ' +
      'Close this window, and begin again in Wheelhouse.',
  },
  de: {
    title: 'Diese Anmeldung kann nicht weitergehen',
    text:
      'Sie hat zu lange gedauert, wurde in einem anderen Browser begonnen oder ist schon beendet. Niemand wurde ' +
      'angemeldet. Schließe dieses Fenster und beginne in Wheelhouse von vorn.',
  },
}

/** Shown if a browser returns with a sign-in unknown here: there is no program to redirect to. */
export function lostPage(language: MailLanguage): Response {
  const { title, text } = words[language]
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Referrer-Policy': 'no-referrer',
  }
  return new Response(plainPage(language, title, text), { status: 400, headers })
}
