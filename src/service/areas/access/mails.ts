import { asOneLine } from '../../../contract/messages/one-line.ts'
import { letter } from '../../mail/letter.ts'
import type { Mail } from '../../mail/mail.ts'
import { wordsFor } from '../../mail/mail-words.ts'

const INVITATION_DAYS = 7
/** How long an invitation can be accepted, in milliseconds. */
export const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000

/** What is offered to whom. */
export interface Offer {
  from: string
  server: string
  runsPrograms: boolean
  /** Of who gets it, else of who invites; null where nobody has said. */
  language: string | null
}

/** Tells somebody that a server was offered to them. It grants nothing: who accepts signs in to the account of the address. */
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
