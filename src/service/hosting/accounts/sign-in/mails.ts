import { asOneLine } from '../../../../contract/messages/one-line.ts'
import type { Mail } from '../../mail/mail.ts'
import { letter } from '../../mail/letter.ts'
import { providerName } from '../../../../contract/rules/sign-in.ts'
import { type MailWords, wordsFor } from '../../mail/mail-words.ts'

export const CODE_MINUTES = 15
const goodForMs = CODE_MINUTES * 60 * 1000
const A_DAY = 24 * 60 * 60 * 1000
/** For mails that wait until the service is started again. */
const A_MONTH = 30 * A_DAY

export interface Reader {
  name: string
  language?: string | null
}

export const NOBODY: Reader = { name: 'Nobody' }

const codeMail =
  (subject: 'confirmSubject' | 'resetSubject', intro: 'confirm' | 'reset', more: readonly 'twice'[] = []) =>
  (to: string, reader: Reader, code: string): Mail => {
    const { language, words } = wordsFor(reader.language)
    return letter({
      ...{ to, language, goodForMs, subject: words[subject](code) },
      parts: [
        greeting(words, reader),
        words[intro],
        { code },
        words.valid(CODE_MINUTES),
        ...more.map((key) => words[key]),
        words.notYou,
      ],
    })
  }

export const confirmMail = codeMail('confirmSubject', 'confirm')
export const confirmWithoutPasswordMail = codeMail('confirmSubject', 'confirm', ['twice'])
export const resetMail = codeMail('resetSubject', 'reset')

export function alreadyRegisteredMail(to: string, reader: Reader): Mail {
  const { language, words } = wordsFor(reader.language)
  return letter({
    ...{ to, language, goodForMs: A_DAY, subject: words.thereSubject },
    parts: [greeting(words, reader), words.there, words.thereNotYou],
  })
}

export function secondFactorMail(to: string, reader: Reader, isOn: boolean): Mail {
  const { language, words } = wordsFor(reader.language)
  return letter({
    ...{ to, language, goodForMs: A_DAY, subject: isOn ? words.factorOnSubject : words.factorOffSubject },
    parts: [greeting(words, reader), isOn ? words.factorOn : words.factorOff, words.factorNotYou],
  })
}

export function identityMail(
  to: string,
  reader: Reader,
  { issuer, email }: { issuer: string; email: string | null },
  isLinked: boolean,
): Mail {
  const { language, words } = wordsFor(reader.language)
  const provider = providerName(issuer)
  const who = email === null ? provider : `${provider} (${asOneLine(email)})`
  return letter({
    ...{ to, language, goodForMs: A_DAY },
    subject: isLinked ? words.linkedSubject(provider) : words.unlinkedSubject(provider),
    parts: [greeting(words, reader), isLinked ? words.linked(who) : words.unlinked(who), words.linkNotYou],
  })
}

export function secondFactorLostMail(to: string, reader: Reader): Mail {
  const { language, words } = wordsFor(reader.language)
  return letter({
    ...{ to, language, goodForMs: A_MONTH, subject: words.factorOffSubject },
    parts: [greeting(words, reader), words.factorOffByHost, words.factorNotAsked],
  })
}

const greeting = (words: MailWords, { name }: Reader): string => words.hello(asOneLine(name))
