import { GOOGLE_PASSWORD_ASKED } from '../../../../contract/pure/google.ts'
import { Refusal } from '../../../refusal.ts'

export const codeOver = () => {
  const message = 'This sign-in has already been used, was tried too often, or took too long. Begin again.'
  return new Refusal(422, 'account.google-code', message, { fields: { code: [message] } })
}
export const begunAnew = () =>
  new Refusal(
    409,
    'account.google-changed',
    'This account was changed in this moment. Begin the sign-in again.',
  )
export const passwordAsked = () =>
  new Refusal(
    409,
    GOOGLE_PASSWORD_ASKED,
    'There is an account with this email already. Enter its password once to show that it is yours; if it has none, or you ' +
      'have forgotten it, choose “Forgot password” to set a new one first.',
  )
export const noEmail = () =>
  new Refusal(
    403,
    'account.google-no-email',
    'The provider did not tell which email address is yours, and without one there is no account. Allow it to be shared, then begin again.',
  )
export const unverified = (email: string) =>
  new Refusal(
    403,
    'account.google-unverified',
    `The provider has not verified that ${email} is yours. Verify it there, then begin again.`,
  )
export const registrationOff = () =>
  new Refusal(
    403,
    'account.registration-off',
    'This service does not accept new accounts, and nobody has signed in with this identity before. Ask whoever runs the service for an account with this email.',
  )
