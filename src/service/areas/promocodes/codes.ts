import { createHash, randomInt } from 'node:crypto'

/** Without letters and digits that look like others, on paper and on screens: 78 bits in 16 of them. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const LENGTH = 16
const GROUP = 4

/** A new code as people are told it, such as `ABCD-EFGH-JKMN-PQRS`. */
export function newPromocode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '')
  return Array.from({ length: LENGTH / GROUP }, (_, at) =>
    letters.slice(at * GROUP, (at + 1) * GROUP).join(''),
  ).join('-')
}

/** A code as it is compared: in whichever case, with whichever spaces and hyphens it was typed or pasted. */
export const bareCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\u00ad\u200b]/gu, '')
    .toUpperCase()

/** What is kept of a code. Its random bits need no salt. */
export const hashPromocode = (typed: string): string =>
  createHash('sha256')
    .update(`promocode:${bareCode(typed)}`)
    .digest('base64url')
