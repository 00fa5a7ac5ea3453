import { z } from 'zod'
import { fieldError } from '../messages/refusals/field-error.ts'
import { area } from '../declarations/declare.ts'
import { json, needed, Time, maybe } from '../declarations/operation.ts'
import { textAlone } from '../declarations/also-named.ts'

const { read, write } = area('account')

/** Carries the code for operations declared with `secondFactor`. */
export const SECOND_FACTOR_HEADER = 'x-second-factor'

/** Six digits or a recovery code; spaces and dashes allowed. */
export const SecondFactorCode = z.string().trim().min(1, fieldError('request.invalid.code')).max(100)

const CurrentPassword = z.string().min(1).max(200)

export const SecondFactor = z.object({
  enabled: z.boolean(),
  since: Time.nullish(),
  recoveryCodesLeft: maybe.count,
})
export type SecondFactor = z.infer<typeof SecondFactor>

const OneWord = textAlone(z.string().regex(/^[\x21-\x7e]{1,1000}$/))

/** For an authenticator app, typed or as a QR code. Returned once; only the service keeps it. */
export const SecondFactorSecret = z.object({
  /** Base32. */
  secret: OneWord,
  /** `otpauth://totp/…` */
  uri: OneWord,
})
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>

export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const secondFactor = {
  read: read({
    id: 'account.second-factor',
    summary: 'Get whether two-factor authentication is on',
    path: '/users/me/second-factor',
    origin: 'extension',
    answer: json(SecondFactor),
    keep: 'memory',
  }),
  begin: write({
    id: 'account.begin-second-factor',
    summary: 'Create a secret for two-factor authentication',
    method: 'POST',
    path: '/users/me/second-factor',
    origin: 'extension',
    body: z.object({ currentPassword: CurrentPassword }),
    answer: needed(SecondFactorSecret),
  }),
  turnOn: write({
    id: 'account.turn-on-second-factor',
    summary: 'Turn on two-factor authentication with a code; answers recovery codes',
    method: 'PUT',
    path: '/users/me/second-factor',
    origin: 'extension',
    body: z.object({ code: SecondFactorCode }),
    answer: needed(RecoveryCodes),
    stale: ['account.second-factor'],
  }),
  turnOff: write({
    id: 'account.turn-off-second-factor',
    summary: 'Turn off two-factor authentication',
    method: 'DELETE',
    path: '/users/me/second-factor',
    origin: 'extension',
    body: z.object({ currentPassword: CurrentPassword }),
    secondFactor: true,
    stale: ['account.second-factor'],
  }),
}
