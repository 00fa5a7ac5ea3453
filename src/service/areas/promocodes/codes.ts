import { createHash, randomInt } from 'node:crypto'

/** Without lookalikes; 16 characters are 78 bits. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const LENGTH = 16
const GROUP = 4

/** Format: `ABCD-EFGH-JKMN-PQRS`. */
export function newPromocode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '')
  return Array.from({ length: LENGTH / GROUP }, (_, at) =>
    letters.slice(at * GROUP, (at + 1) * GROUP).join(''),
  ).join('-')
}

export const bareCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\u00ad\u200b]/gu, '')
    .toUpperCase()

/** Random enough to need no salt. */
export const hashPromocode = (typed: string): string =>
  createHash('sha256')
    .update(`promocode:${bareCode(typed)}`)
    .digest('base64url')
