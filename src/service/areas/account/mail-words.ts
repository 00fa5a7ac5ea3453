import type { MailLanguage } from '../../../contract/areas/my-account.ts'

const en = {
  hello: (name: string) => `Hello ${name},`,
  confirmSubject: (code: string) => `${code} is your confirmation code`,
  confirm: 'your code to confirm this email address is',
  resetSubject: (code: string) => `${code} is your code for a new password`,
  reset: 'your code to set a new password is',
  valid: (minutes: number) => `It is valid for ${minutes} minutes and five attempts.`,
  twice:
    'This address was registered more than once. To make sure nobody else chose your password, none of those ' +
    'entered is used: choose "Forgot password" and set a new one.',
  notYou: 'If this was not you, ignore this email: without the code nothing happens.',
  thereSubject: 'You already have an account',
  there:
    'somebody, perhaps you, tried to register with this address. It already has an account: sign in with it, or ' +
    'choose "Forgot password" to set a new one.',
  thereNotYou: 'If this was not you, ignore this email.',
}

/** What mails say, in one language. */
export type MailWords = typeof en

const de: MailWords = {
  hello: (name) => `Hallo ${name},`,
  confirmSubject: (code) => `${code} ist dein Bestätigungscode`,
  confirm: 'dein Code zum Bestätigen dieser E-Mail-Adresse lautet',
  resetSubject: (code) => `${code} ist dein Code für ein neues Passwort`,
  reset: 'dein Code zum Festlegen eines neuen Passworts lautet',
  valid: (minutes) => `Er gilt ${minutes} Minuten und für fünf Versuche.`,
  twice:
    'Diese Adresse wurde mehr als einmal registriert. Damit niemand anderes dein Passwort gewählt haben kann, gilt ' +
    'keines der eingegebenen: Wähle „Passwort vergessen“ und lege ein neues fest.',
  notYou: 'Wenn du das nicht warst, ignoriere diese E-Mail: Ohne den Code passiert nichts.',
  thereSubject: 'Du hast schon ein Konto',
  there:
    'jemand, vielleicht du, wollte sich mit dieser Adresse registrieren. Sie hat schon ein Konto: Melde dich damit ' +
    'an, oder wähle „Passwort vergessen“, um ein neues Passwort festzulegen.',
  thereNotYou: 'Wenn du das nicht warst, ignoriere diese E-Mail.',
}

const all: Record<MailLanguage, MailWords> = { en, de }
const isKnown = (language: string): language is MailLanguage => Object.hasOwn(all, language)

/** What mails say in the language of an account; English where nobody has said which. */
export function wordsFor(language: string | null | undefined): { language: MailLanguage; words: MailWords } {
  const known = language && isKnown(language) ? language : 'en'
  return { language: known, words: all[known] }
}

/** The language that a program asks for first of those that mails are written in (`Accept-Language`, RFC 9110). */
export function mailLanguageOf(header: string | undefined): MailLanguage | undefined {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((one) => {
      const [tag = '', ...given] = one.trim().toLowerCase().split(';')
      const quality = Number(
        given
          .find((part) => part.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      )
      return { language: tag.split('-')[0] ?? '', quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return wanted.map(({ language }) => language).find(isKnown)
}
