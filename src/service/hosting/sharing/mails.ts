import { asOneLine } from '../../../contract/messages/one-line.ts'
import { letter } from '../mail/letter.ts'
import type { Mail } from '../mail/mail.ts'
import { wordsFor } from '../mail/mail-words.ts'

const INVITATION_DAYS = 7
export const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000

export interface Offer {
  from: string
  server: string
  runsPrograms: boolean
  /** The recipient's, else the sender's; null if neither is set. */
  language: string | null
}

/** Grants nothing: accepting requires signing in to the account of the address. */
export function invitationMail(to: string, { from, server, runsPrograms, language: wanted }: Offer): Mail {
  const { language, words } = wordsFor(wanted)
  const [who, what] = [asOneLine(from), asOneLine(server)]
  return letter({
    ...{ to, language, goodForMs: INVITATION_MS, subject: words.inviteSubject(who, what) },
    parts: [
      words.helloThere,
      words.invite(who, what),
      ...(runsPrograms ? [words.inviteRunsPrograms] : []),
      words.inviteAccept(to, INVITATION_DAYS),
      words.inviteNotKnown,
    ],
  })
}
