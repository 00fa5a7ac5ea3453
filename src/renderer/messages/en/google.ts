import { loaded } from '../base/loaded.ts'

export const google = loaded({
  'google.button': 'Sign in with Google',
  'google.title': 'Sign in with Google',
  'google.beginning': 'Opening your browser…',
  'google.waiting':
    'Your browser was asked to open a page of {host}. Sign in there; this window continues by itself.',
  'google.not-opened': 'No browser could be opened. Open this address in one yourself:',
  'google.address': 'Address of the sign-in',
  'google.address-hint':
    'If no page has opened, copy this into a browser on this computer. It is valid for a few minutes.',
  'google.copy': 'Copy the address',
  'google.again': 'Open again',
  'google.retry': 'Begin again',
  'google.password-text':
    'There is an account with this email already. Enter its password once; from then on you can sign in with Google.',
  'google.password-forgot': 'If it has no password, or you have forgotten it, set a new one first.',
  'google.second-factor-text': 'This account also asks for a code.',
  'google.refused': 'You did not allow the sign-in in the browser, so nothing was changed.',
  'google.provider-down':
    'The service cannot reach the identity provider right now. Try again later, or sign in another way.',
  'google.failed':
    'The sign-in failed between the service and the identity provider. Begin again; if it happens again, tell the people who run the service.',
  'google.late':
    'The browser has not come back within five minutes. Perhaps the service does not send it back to this panel: if it shows you an access token, use that.',
  'google.unverified':
    'The provider has not verified that the email is yours. Verify it there, then begin again.',
  'google.no-email':
    'The provider did not say which email is yours, and there is no account without one. Allow it to be shared, then begin again.',
  'google.registration-off':
    'This service takes no new accounts, and your email has none there. Ask the people who run it for one.',
  'google.code': 'This sign-in took too long, was tried too often, or was used already. Begin again.',
  'google.canceled': 'This sign-in was ended, because another one was begun.',
} as const)
