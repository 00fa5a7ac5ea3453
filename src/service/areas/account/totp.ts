import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** What every authenticator app knows, and several know alone (RFC 6238): six digits, 30 seconds, SHA-1. */
const STEP_SECONDS = 30
const KIND = { algorithm: 'SHA1', digits: 6, period: STEP_SECONDS } as const
/** Clocks that differ by a step, and codes that were typed while the next one came. */
const STEPS_AROUND = 1

const RECOVERY_CODES = 10
/** Without 0, 1, 8 and 9: base32, whose letters are told apart on paper too. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 random bits in base32, as RFC 4226 §4 wants at least 128. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** What an app reads from a QR code. */
export const uriOf = (secret: string, email: string): string =>
  new TOTP({ ...KIND, issuer: 'Wheelhouse', label: email, secret: Secret.fromBase32(secret) }).toString()

/** Which step of time a code belongs to, counted since 1970; null where it is the code of none that is near. */
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

/**
 * Whether a code of this step was taken already, or is older than one that was. What was taken while the clock was ahead
 * does not count: nothing would be taken until it is then.
 */
export const isUsed = (counter: number, lastCounter: number | null, now: number): boolean =>
  lastCounter !== null && lastCounter <= stepAt(now) + STEPS_AROUND && counter <= lastCounter

/** A code as it was typed or pasted, or null: six digits, or a recovery code. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: 'app', code }
  return /^[A-Z2-7]{16}$/.test(code) ? { kind: 'recovery', code } : null
}

/** Codes of 80 random bits each, as people write them down: `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode)

function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return letters.match(/.{4}/g)!.join('-')
}

/** What the store keeps of a recovery code, without its dashes. It is random enough to need no salt. */
export const hashRecoveryCode = (code: string): string =>
  createHash('sha256')
    .update(`recovery:${code.replaceAll('-', '')}`)
    .digest('base64url')
