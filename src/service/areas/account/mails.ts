import { asOneLine } from '../../../contract/messages/one-line.ts'
import type { Mail } from '../../mail/mail.ts'
import { letter } from './letter.ts'
import { type MailWords, wordsFor } from './mail-words.ts'

/** How long a code is good, in minutes, as the mails say it. */
export const CODE_MINUTES = 15
const goodForMs = CODE_MINUTES * 60 * 1000
/** A mail that only informs, in milliseconds. */
const A_DAY = 24 * 60 * 60 * 1000

/** Whom a mail is written to, and in which language. */
export interface Reader {
  name: string
  /** Null: nobody has said. */
  language?: string | null
}

/** Of a mail that nobody gets. */
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

const greeting = (words: MailWords, { name }: Reader): string => words.hello(asOneLine(name))
