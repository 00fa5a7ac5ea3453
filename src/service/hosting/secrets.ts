import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Sixteen letters: `ABCD-EFGH-IJKL-MNOP`. */
export const newLetterCode = (alphabet: string): string =>
  Array.from(
    { length: 16 },
    (_, at) => (at > 0 && at % 4 === 0 ? '-' : '') + alphabet[randomInt(alphabet.length)],
  ).join('')

/** Only for what is too random to need a salt. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
