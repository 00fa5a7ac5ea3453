import { plainPage } from '../../../contract/messages/plain-page.ts'

export type PageKind = 'done' | 'over' | 'other'

const words: Record<'en' | 'de', Record<PageKind, [title: string, text: string]>> = {
  en: {
    done: ['Back to Wheelhouse', 'You can close this window. Continue in Wheelhouse.'],
    over: [
      'This sign-in is over',
      'It took too long, was canceled, or has already ended. Close this window; if you are not signed in, begin again in Wheelhouse.',
    ],
    other: [
      'Nothing to see here',
      'Wheelhouse waits for something else. Nothing was changed. You can close this window.',
    ],
  },
  de: {
    done: ['Zurück zu Wheelhouse', 'Du kannst dieses Fenster schließen. In Wheelhouse geht es weiter.'],
    over: [
      'Diese Anmeldung ist vorbei',
      'Sie hat zu lange gedauert, wurde abgebrochen oder ist schon beendet. Schließe dieses Fenster; wenn du nicht angemeldet bist, beginne in Wheelhouse von vorn.',
    ],
    other: [
      'Hier gibt es nichts zu sehen',
      'Wheelhouse wartet auf etwas anderes. Es wurde nichts geändert. Du kannst dieses Fenster schließen.',
    ],
  },
}

/** Contains nothing from the request. */
export function callbackPage(kind: PageKind, accepted: string | undefined): string {
  const language = /^\s*de\b/i.test(accepted ?? '') ? 'de' : 'en'
  const [title, text] = words[language][kind]
  return plainPage(language, title, text)
}
