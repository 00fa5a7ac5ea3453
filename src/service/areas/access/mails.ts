import { asOneLine } from '../../../contract/messages/one-line.ts'
import type { Mail } from '../../mail/mail.ts'

const INVITATION_DAYS = 7
/** How long an invitation can be accepted, in milliseconds. */
export const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000

/** Tells somebody that a server was offered to them. It grants nothing: who accepts signs in to the account of the address. */
export const invitationMail = (
  to: string,
  { from, server, runsPrograms }: { from: string; server: string; runsPrograms: boolean },
): Mail => ({
  to,
  goodForMs: INVITATION_MS,
  subject: `${asOneLine(from)} invites you to the server ${asOneLine(server)}`,
  text:
    `Hello,\n\n${asOneLine(from)} wants to share the Minecraft server "${asOneLine(server)}" with you.\n\n` +
    (runsPrograms
      ? 'With this invitation you can also run programs on the computer of the server.\n\n'
      : '') +
    `To accept, sign in to Wheelhouse with the account of this email address (${to}). The invitation is shown there. ` +
    `It is valid for ${INVITATION_DAYS} days.\n\nIf you don't know this person, ignore this email.\n`,
})
