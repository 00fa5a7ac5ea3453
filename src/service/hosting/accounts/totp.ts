import { Secret, TOTP } from 'otpauth'
import { hashSecret, newLetterCode } from '../secrets.ts'

const STEP_SECONDS = 30
const KIND = { algorithm: 'SHA1', digits: 6, period: STEP_SECONDS } as const
/** Tolerates clock drift and slow typing. */
const STEPS_AROUND = 1

const RECOVERY_CODES = 10
/** Base32: without 0, 1, 8 and 9, to be readable on paper. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 random bits; RFC 4226 §4 requires at least 128. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

export const uriOf = (secret: string, email: string): string =>
  new TOTP({ ...KIND, issuer: 'Wheelhouse', label: email, secret: Secret.fromBase32(secret) }).toString()

/** Time step of a code; null if it matches none nearby. */
export function counterOf(secret: string, code: string, now: number): number | null {
  const delta = TOTP.validate({
    ...KIND,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: STEPS_AROUND,
  })
  return delta === null ? null : stepAt(now) + delta
}

const stepAt = (now: number): number => Math.floor(now / 1000 / STEP_SECONDS)

/** True for used codes and older ones. Ignores codes used while the clock was ahead, or none would work until then. */
export const isUsed = (counter: number, lastCounter: number | null, now: number): boolean =>
  lastCounter !== null && lastCounter <= stepAt(now) + STEPS_AROUND && counter <= lastCounter

/** Null if neither six digits nor a recovery code. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: 'app', code }
  return /^[A-Z2-7]{16}$/.test(code) ? { kind: 'recovery', code } : null
}

/** 80 random bits each. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => newLetterCode(LETTERS))

/** Without dashes. */
export const hashRecoveryCode = (code: string): string => hashSecret(`recovery:${code.replaceAll('-', '')}`)
