/** Setting values as Java reads them, without trimming. */

/** `Boolean.valueOf`: everything but `true` in any case is false. */
export const javaBoolean = (value: string): boolean => /^true$/i.test(value)

const INT = { least: -(2n ** 31n), most: 2n ** 31n - 1n }
const LONG = { least: -(2n ** 63n), most: 2n ** 63n - 1n }
const DIGITS_MOST = 19

/** `Integer.parseInt`; null if it throws, so that the game uses its default. */
export const javaInt = (value: string): number | null => wholeIn(value, INT)

/** `Long.parseLong`. Not exact beyond 2⁵³. */
export const javaLong = (value: string): number | null => wholeIn(value, LONG)

function wholeIn(value: string, { least, most }: typeof INT): number | null {
  const [, sign, digits] = /^([+-]?)(\p{Nd}+)$/u.exec(value) ?? []
  // Java examines each half of a surrogate pair separately.
  if (digits === undefined || /[\ud800-\udfff]/.test(digits)) return null
  const plain = digits.replaceAll(/[^0-9]/g, plainDigit).replace(/^0+(?=\d)/, '')
  if (plain.length > DIGITS_MOST) return null
  const whole = BigInt(plain) * (sign === '-' ? -1n : 1n)
  return whole < least || whole > most ? null : Number(whole)
}

/** Converts a digit of any script to ASCII: each script has its ten in a row. */
function plainDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  let zero = code
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero--
  return String(code - zero)
}

export function visible(value: string): string {
  const characters = [...value]
  const isSeen = (one: string) => !/[\p{Z}\p{C}]/u.test(one)
  return characters.slice(characters.findIndex(isSeen), characters.findLastIndex(isSeen) + 1).join('')
}
