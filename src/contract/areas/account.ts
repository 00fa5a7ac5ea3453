import { z } from 'zod'
import { isNameLine } from '../messages/one-line.ts'
import { fieldError } from '../messages/refusals/field-error.ts'
import { alsoNamed, ID_NAMES, textAlone } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { json, needed, Time, maybe } from '../declarations/operation.ts'
import { SecondFactorCode } from './second-factor.ts'

const { read, write } = area('account')

export const Email = z
  .string()
  .max(1000, fieldError('request.invalid.email'))
  .trim()
  .toLowerCase()
  .pipe(z.email(fieldError('request.invalid.email')).max(254))
export const Password = z
  .string()
  .min(10, fieldError('request.invalid.short', { count: 10 }))
  .max(200, fieldError('request.invalid.long', { count: 200 }))
export const Code = z.string().regex(/^\d{6}$/, fieldError('request.invalid.six-digits'))
export const AccountName = z
  .string()
  .trim()
  .min(1, fieldError('request.invalid.name'))
  .max(80)
  // Appears in mails to addresses that anyone may have entered.
  .refine(isNameLine, fieldError('request.invalid.name-line'))

export const User = alsoNamed(
  z.object({
    /** The id or the email must be present to identify the account. */
    id: z.string().min(1).nullish(),
    name: maybe.text,
    email: maybe.text,
    emailConfirmed: maybe.flag,
    avatarUrl: maybe.text,
    /** Language of mails, such as `en`. */
    language: maybe.text,
    createdAt: Time.nullish(),
  }),
  {
    id: [...ID_NAMES, 'userId'],
    name: ['displayName', 'username'],
    email: ['emailAddress', 'mail'],
    emailConfirmed: ['emailVerified'],
    createdAt: ['created'],
  },
)
export type User = z.infer<typeof User>

const Token = textAlone(z.string().regex(/^[\x21-\x7e]{1,8000}$/, 'This is not a valid token.'))

/** The token is the only secret in any answer. */
export const Session = alsoNamed(
  z.object({ token: Token, expiresAt: Time.nullish(), user: User.nullish() }),
  {
    token: ['accessToken', 'authToken', 'bearerToken', 'jwt', 'plainTextToken'],
    expiresAt: ['expires', 'expiration'],
    user: ['account'],
  },
)
export type Session = z.infer<typeof Session>

/** The specification shows no payloads for this area. Services reveal their own field names when they refuse. */
const sentAs = {
  name: ['username', 'displayName', 'fullName'],
  email: ['emailAddress', 'mail', 'username', 'user', 'login', 'identifier', 'identity'],
  password: ['pass', 'passwd', 'passphrase', 'newPassword', 'secret'],
  code: ['token', 'otp', 'pin', 'confirmationCode', 'verificationCode', 'resetCode'],
  currentPassword: ['oldPassword', 'passwordCurrent'],
  newPassword: ['passwordNew', 'password'],
} as const

const statedPayloadAssumed = { path: 'stated', method: 'stated', shape: 'assumed' } as const

export const account = {
  resend: write({
    id: 'account.resend',
    summary: 'Resend an email confirmation code',
    method: 'POST',
    path: '/auth/email/resend',
    origin: statedPayloadAssumed,
    token: false,
    body: alsoNamed(z.object({ email: Email }), sentAs),
  }),
  confirm: write({
    id: 'account.confirm',
    summary: 'Confirm an account with the received code',
    method: 'POST',
    path: '/auth/email/confirm',
    origin: statedPayloadAssumed,
    token: false,
    body: alsoNamed(z.object({ email: Email, code: Code }), sentAs),
    answer: json(Session),
  }),
  forgot: write({
    id: 'account.forgot',
    summary: 'Request a password-reset code',
    method: 'POST',
    path: '/auth/password/forgot',
    origin: statedPayloadAssumed,
    token: false,
    body: alsoNamed(z.object({ email: Email }), sentAs),
  }),
  reset: write({
    id: 'account.reset',
    summary: 'Verify the code and set a new password',
    method: 'POST',
    path: '/auth/password/reset',
    origin: statedPayloadAssumed,
    token: false,
    body: alsoNamed(z.object({ email: Email, code: Code, password: Password }), sentAs),
  }),
  updatePassword: write({
    id: 'account.update-password',
    summary: 'Update the password of the authenticated user',
    method: 'PATCH',
    path: '/users/password',
    origin: statedPayloadAssumed,
    body: alsoNamed(z.object({ currentPassword: z.string().min(1).max(200), newPassword: Password }), sentAs),
    secondFactor: true,
  }),
  register: write({
    id: 'account.register',
    summary: 'Register an account and send a confirmation code',
    method: 'POST',
    path: '/auth/register',
    origin: 'assumed',
    token: false,
    body: alsoNamed(z.object({ name: AccountName, email: Email, password: Password }), sentAs),
    status: 201,
    answer: json(z.object({ user: User })),
  }),
  signIn: write({
    id: 'account.sign-in',
    summary: 'Sign in with email and password',
    method: 'POST',
    path: '/auth/login',
    origin: 'assumed',
    token: false,
    body: alsoNamed(
      z.object({
        email: Email,
        password: z.string().min(1).max(200),
        code: SecondFactorCode.optional(),
      }),
      sentAs,
    ),
    answer: needed(Session),
  }),
  signOut: write({
    id: 'account.sign-out',
    summary: 'Sign out and revoke the token',
    method: 'POST',
    path: '/auth/logout',
    origin: 'assumed',
  }),
  me: read({
    id: 'account.me',
    summary: 'Get the account of the token; also serves as the token check',
    path: '/users/me',
    origin: 'assumed',
    answer: json(User),
    keep: 'disk',
  }),
  local: write({
    id: 'account.local',
    summary: 'Exchange the one-time secret of the parent process for a token',
    method: 'POST',
    path: '/auth/local',
    origin: 'extension',
    token: false,
    body: z.object({ secret: z.string().min(20).max(200) }),
    answer: needed(Session),
  }),
}
