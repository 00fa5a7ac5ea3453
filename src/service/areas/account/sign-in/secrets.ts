import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** A new access token: 256 random bits behind a prefix by which a leaked one can be found. */
export const newToken = (): string => `wh_${randomBytes(32).toString('base64url')}`

/** What the store keeps of a token. Its 256 random bits need no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Six digits, each as likely as any other. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/**
 * What the store keeps of a code. A million possibilities cannot be hidden behind any hash; it keeps a code from being
 * read in passing, and 15 minutes and five tries do the rest.
 */
export const hashCode = (code: string, salt: string): string =>
  createHash('sha256').update(`${salt}:${code}`).digest('base64url')

/** Compares two secrets without telling by time where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
