/** Values of settings as Java reads them, which trims nothing. */

/** `Boolean.valueOf`: everything but `true`, in whatever case, is false. */
export const javaBoolean = (value: string): boolean => /^true$/i.test(value)

const INT = { least: -(2n ** 31n), most: 2n ** 31n - 1n }
const LONG = { least: -(2n ** 63n), most: 2n ** 63n - 1n }
/** No long has more digits than that. */
const DIGITS_MOST = 19

/** `Integer.parseInt`; null where it throws, and the game takes its default. */
export const javaInt = (value: string): number | null => wholeIn(value, INT)

/** `Long.parseLong`. What is beyond 2⁵³ is not exact. */
export const javaLong = (value: string): number | null => wholeIn(value, LONG)

function wholeIn(value: string, { least, most }: typeof INT): number | null {
  const [, sign, digits] = /^([+-]?)(\p{Nd}+)$/u.exec(value) ?? []
  // Java looks at each half of a character by itself.
  if (digits === undefined || /[\ud800-\udfff]/.test(digits)) return null
  const plain = digits.replaceAll(/[^0-9]/g, plainDigit).replace(/^0+(?=\d)/, '')
  if (plain.length > DIGITS_MOST) return null
  const whole = BigInt(plain) * (sign === '-' ? -1n : 1n)
  return whole < least || whole > most ? null : Number(whole)
}

/** A digit of another script in ASCII: each script has its ten in a row. */
function plainDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  let zero = code
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero--
  return String(code - zero)
}

/** What a value looks like: without the blanks and other invisible characters at its ends. */
export function visible(value: string): string {
  const characters = [...value]
  const isSeen = (one: string) => !/[\p{Z}\p{C}]/u.test(one)
  return characters.slice(characters.findIndex(isSeen), characters.findLastIndex(isSeen) + 1).join('')
}
