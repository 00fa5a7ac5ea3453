import { z } from 'zod'
import { fieldError } from '../messages/refusals/field-error.ts'
import { Session } from './account.ts'
import { alsoNamed, ID_NAMES } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { json, needed, Time, always, maybe } from '../declarations/operation.ts'
import { SecondFactorCode } from './second-factor.ts'

const { read, write } = area('account')

/** Loopback only (RFC 8252 §7.3). One pattern, so that no two URL parsers can disagree. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:\/[\w.~-]*)*$/

const CHALLENGE = /^[\w-]{43}$/
const VERIFIER = /^[\w.~-]{43,128}$/

export const GoogleSignInRequest = z.object({
  redirect_uri: z
    .string()
    .max(300)
    .refine((text) => LOOPBACK.test(text) && URL.canParse(text), fieldError('request.invalid.redirect')),
  state: z.string().regex(/^[\w.~-]{16,200}$/, fieldError('request.invalid.state')),
  code_challenge: z.string().regex(CHALLENGE, fieldError('request.invalid.challenge')),
  code_challenge_method: z.literal('S256', fieldError('request.invalid.challenge-method')),
})

/** `error` of the redirect address (RFC 6749 §4.1.2.1). */
export const GOOGLE_ERRORS = ['access_denied', 'temporarily_unavailable', 'server_error'] as const

export const LinkedIdentity = alsoNamed(
  z.object({
    id: always.filled,
    issuer: maybe.text,
    email: maybe.text,
    since: Time.nullish(),
  }),
  { id: ID_NAMES, issuer: ['provider'], since: ['linkedAt', 'createdAt'] },
)
export type LinkedIdentity = z.infer<typeof LinkedIdentity>

export const SignInMethods = z.object({
  hasPassword: maybe.flag,
  identities: z.array(LinkedIdentity),
})
export type SignInMethods = z.infer<typeof SignInMethods>

/** Sign-in through an identity provider in the browser: RFC 8252 with PKCE. */
export const googleSignIn = {
  /** Required parameters. A service without a provider reports that before checking them. */
  begin: read({
    id: 'account.google',
    summary: 'Begin authentication through an external identity provider',
    path: '/auth/google',
    origin: { path: 'stated', method: 'stated', shape: 'assumed' },
    token: false,
    bridge: 'own',
    keep: 'never',
    status: 302,
    query: z.looseObject({
      redirect_uri: z.string().optional(),
      state: z.string().optional(),
      code_challenge: z.string().optional(),
      code_challenge_method: z.string().optional(),
    }),
  }),
  /** The provider redirects the browser here; programs don't call it. */
  callback: read({
    id: 'account.google-callback',
    summary: 'Receive the browser from the identity provider',
    path: '/auth/google/callback',
    origin: 'extension',
    token: false,
    bridge: 'own',
    keep: 'never',
    status: 302,
    query: z.looseObject({
      state: z.string().optional(),
      code: z.string().optional(),
      error: z.string().optional(),
    }),
  }),
  exchange: write({
    id: 'account.google-exchange',
    summary: 'Exchange the code of a Google sign-in for a token',
    method: 'POST',
    path: '/auth/google/exchange',
    origin: 'assumed',
    token: false,
    /** Answers to 409 `account.google-password` and 401 `auth.second-factor`. */
    body: z.object({
      code: z.string().min(1).max(500),
      codeVerifier: z.string().regex(VERIFIER),
      password: z.string().min(1).max(200).optional(),
      secondFactor: SecondFactorCode.optional(),
    }),
    answer: needed(Session),
  }),
  methods: read({
    id: 'account.sign-in-methods',
    summary: 'Get whether there is a password, and the linked identities',
    path: '/users/me/sign-in-methods',
    origin: 'extension',
    answer: json(SignInMethods),
    keep: 'memory',
  }),
  /** `account.no-password` if this is the only way to sign in. */
  unlink: write({
    id: 'account.unlink-identity',
    summary: 'Unlink an identity, and sign out all other devices',
    method: 'DELETE',
    path: '/users/me/sign-in-methods/:identityId',
    origin: 'extension',
    body: z.object({ currentPassword: z.string().min(1).max(200) }),
    secondFactor: true,
    stale: ['account.sign-in-methods', 'account.sessions'],
  }),
}
