import { asOneLine } from '../../../contract/messages/one-line.ts'
import type { Mail } from '../../mail/mail.ts'

/** How long a code is good, in minutes, as the mails say it. */
export const CODE_MINUTES = 15
const goodForMs = CODE_MINUTES * 60 * 1000
/** A mail that only informs, in milliseconds. */
const A_DAY = 24 * 60 * 60 * 1000

const footer = '\n\nIf this was not you, ignore this email: without the code nothing happens.\n'

export const confirmMail = (to: string, name: string, code: string): Mail => ({
  to,
  goodForMs,
  subject: `${code} is your confirmation code`,
  text:
    `Hello ${asOneLine(name)},\n\nyour code to confirm this email address is\n\n    ${code}\n\n` +
    `It is valid for ${CODE_MINUTES} minutes and five attempts.${footer}`,
})

export const confirmWithoutPasswordMail = (to: string, name: string, code: string): Mail => ({
  to,
  goodForMs,
  subject: `${code} is your confirmation code`,
  text:
    `Hello ${asOneLine(name)},\n\nyour code to confirm this email address is\n\n    ${code}\n\n` +
    `It is valid for ${CODE_MINUTES} minutes and five attempts.\n\n` +
    'This address was registered more than once. To make sure nobody else chose your password, none of those ' +
    `entered is used: choose "Forgot password" and set a new one.${footer}`,
})

export const resetMail = (to: string, name: string, code: string): Mail => ({
  to,
  goodForMs,
  subject: `${code} is your code for a new password`,
  text:
    `Hello ${asOneLine(name)},\n\nyour code to set a new password is\n\n    ${code}\n\n` +
    `It is valid for ${CODE_MINUTES} minutes and five attempts.${footer}`,
})

export const alreadyRegisteredMail = (to: string, name: string): Mail => ({
  to,
  goodForMs: A_DAY,
  subject: 'You already have an account',
  text:
    `Hello ${asOneLine(name)},\n\nsomebody, perhaps you, tried to register with this address. It already has an account: ` +
    'sign in with it, or choose "Forgot password" to set a new one.\n\nIf this was not you, ignore this email.\n',
})
