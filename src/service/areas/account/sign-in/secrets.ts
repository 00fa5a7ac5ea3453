import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** 256 random bits; the prefix makes leaks searchable. */
export const newToken = (): string => `wh_${randomBytes(32).toString('base64url')}`

/** 256 random bits need no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** Hashing six digits only prevents casual reading; expiry and try limits protect the code. */
export const hashCode = (code: string, salt: string): string =>
  createHash('sha256').update(`${salt}:${code}`).digest('base64url')

export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
