import { GOOGLE_PASSWORD_ASKED } from '../../../../contract/rules/google.ts'
import { refusal } from '../../../base/refusal.ts'

export const codeOver = () => refusal(422, 'account.google-code').at('code')
export const begunAnew = () => refusal(409, 'account.google-changed')
export const passwordAsked = () => refusal(409, GOOGLE_PASSWORD_ASKED)
export const noEmail = () => refusal(403, 'account.google-no-email')
export const unverified = (email: string) => refusal(403, 'account.google-unverified', { email })
export const registrationOff = () => refusal(403, 'account.registration-off.identity')
