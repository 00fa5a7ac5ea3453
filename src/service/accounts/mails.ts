import { asOneLine } from '../../contract/messages/one-line.ts'
import type { Mail } from './outbox.ts'

/** How long a code is good, in minutes, as the mails say it. */
export const CODE_MINUTES = 15

const footer = '\n\nIf this was not you, do nothing: without the code nothing happens.\n'

export const confirmMail = (to: string, name: string, code: string): Mail => ({
  to,
  subject: `${code} is your confirmation code`,
  text:
    `Hello ${asOneLine(name)},\n\nyour code to confirm this address is\n\n    ${code}\n\n` +
    `It is good for ${CODE_MINUTES} minutes and five tries.${footer}`,
})

export const confirmWithoutPasswordMail = (to: string, name: string, code: string): Mail => ({
  to,
  subject: `${code} is your confirmation code`,
  text:
    `Hello ${asOneLine(name)},\n\nyour code to confirm this address is\n\n    ${code}\n\n` +
    `It is good for ${CODE_MINUTES} minutes and five tries.\n\n` +
    'This address was registered more than once. So that nobody else can have chosen your password, none of those ' +
    `given counts: choose "Forgot password" and set a new one.${footer}`,
})

export const resetMail = (to: string, name: string, code: string): Mail => ({
  to,
  subject: `${code} is your code for a new password`,
  text:
    `Hello ${asOneLine(name)},\n\nyour code to set a new password is\n\n    ${code}\n\n` +
    `It is good for ${CODE_MINUTES} minutes and five tries.${footer}`,
})

export const alreadyRegisteredMail = (to: string, name: string): Mail => ({
  to,
  subject: 'You have an account already',
  text:
    `Hello ${asOneLine(name)},\n\nsomebody, perhaps you, tried to register with this address. It has an account already: ` +
    'sign in with it, or choose "Forgot password" to set a new one.\n\nIf this was not you, do nothing.\n',
})
