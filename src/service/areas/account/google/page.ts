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

/** What a browser is shown that comes back with a sign-in nobody here has begun: there is no program to send it to. */
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
