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
    'choose "Forgot password" to set a new password.',
  thereNotYou: 'If this was not you, ignore this email.',
  factorOnSubject: 'Two-factor authentication is on for your account',
  factorOn: 'from now on, signing in to your account also asks for a code of your authenticator app.',
  factorOffSubject: 'Two-factor authentication is off for your account',
  factorOff: 'from now on, signing in to your account no longer asks for a code.',
  factorNotYou:
    'If this was not you, somebody knows your password and is signed in: choose "Forgot password" and set a new one, ' +
    'which ends all sign-ins and unlinks whatever is linked, or ask whoever runs this service for help.',
  factorOffByHost:
    'whoever runs this service has turned off two-factor authentication for your account: signing in no longer asks for a code. ' +
    'All sign-ins have ended; otherwise you sign in as before.',
  factorNotAsked: 'If you did not ask for this, ask whoever runs this service why it was done.',
  linkedSubject: (provider: string) => `${provider} was linked to your account`,
  linked: (who: string) => `from now on, your account can be signed in to with ${who}.`,
  unlinkedSubject: (provider: string) => `${provider} was unlinked from your account`,
  unlinked: (who: string) =>
    `${who} was unlinked from your account: it can no longer be signed in to that way. All other sign-ins have ended.`,
  linkNotYou:
    'If this was not you, choose "Forgot password" and set a new one: that ends all sign-ins and unlinks whatever is ' +
    'linked. Or ask whoever runs this service for help.',
  helloThere: 'Hello,',
  inviteSubject: (from: string, server: string) => `${from} invites you to the server ${server}`,
  invite: (from: string, server: string) =>
    `${from} wants to share the Minecraft server "${server}" with you.`,
  inviteRunsPrograms: 'With this invitation you can also run programs on the computer of the server.',
  inviteAccept: (email: string, days: number) =>
    `To accept, sign in to Wheelhouse with the account of this email address (${email}). The invitation is shown there. ` +
    `It is valid for ${days} days.`,
  inviteNotKnown: "If you don't know this person, ignore this email.",
}

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
  factorOnSubject: 'Die Zwei-Faktor-Authentifizierung deines Kontos ist an',
  factorOn: 'ab jetzt fragt die Anmeldung an deinem Konto auch nach einem Code deiner Authenticator-App.',
  factorOffSubject: 'Die Zwei-Faktor-Authentifizierung deines Kontos ist aus',
  factorOff: 'ab jetzt fragt die Anmeldung an deinem Konto nach keinem Code mehr.',
  factorNotYou:
    'Wenn du das nicht warst, kennt jemand dein Passwort und ist angemeldet: Wähle „Passwort vergessen“ und lege ein ' +
    'neues fest, das beendet alle Anmeldungen und hebt alle Verknüpfungen auf, oder bitte den Betreiber dieses Dienstes um Hilfe.',
  factorOffByHost:
    'der Betreiber dieses Dienstes hat die Zwei-Faktor-Authentifizierung deines Kontos ausgeschaltet: Die Anmeldung ' +
    'fragt nach keinem Code mehr. Alle Anmeldungen sind beendet; sonst meldest du dich an wie zuvor.',
  factorNotAsked:
    'Wenn du nicht darum gebeten hast, frage den Betreiber dieses Dienstes, warum das geschehen ist.',
  linkedSubject: (provider) => `${provider} wurde mit deinem Konto verknüpft`,
  linked: (who) => `ab jetzt ist die Anmeldung an deinem Konto auch mit ${who} möglich.`,
  unlinkedSubject: (provider) => `${provider} ist nicht mehr mit deinem Konto verknüpft`,
  unlinked: (who) =>
    `${who} ist nicht mehr mit deinem Konto verknüpft: So ist keine Anmeldung mehr möglich. Alle anderen Anmeldungen sind beendet.`,
  linkNotYou:
    'Wenn du das nicht warst, wähle „Passwort vergessen“ und lege ein neues fest: Das beendet alle Anmeldungen und ' +
    'hebt alle Verknüpfungen auf. Oder bitte den Betreiber dieses Dienstes um Hilfe.',
  helloThere: 'Hallo,',
  inviteSubject: (from, server) => `${from} lädt dich auf den Server ${server} ein`,
  invite: (from, server) => `${from} möchte den Minecraft-Server „${server}“ mit dir teilen.`,
  inviteRunsPrograms: 'Mit dieser Einladung kannst du auch Programme auf dem Computer des Servers ausführen.',
  inviteAccept: (email, days) =>
    `Um sie anzunehmen, melde dich bei Wheelhouse mit dem Konto dieser E-Mail-Adresse (${email}) an. Dort steht die ` +
    `Einladung. Sie gilt ${days} Tage.`,
  inviteNotKnown: 'Wenn du diese Person nicht kennst, ignoriere diese E-Mail.',
}

const all: Record<MailLanguage, MailWords> = { en, de }
const isKnown = (language: string): language is MailLanguage => Object.hasOwn(all, language)

/** Falls back to English. */
export function wordsFor(language: string | null | undefined): { language: MailLanguage; words: MailWords } {
  const known = language && isKnown(language) ? language : 'en'
  return { language: known, words: all[known] }
}

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
