/** Digits a number may have here: a collator takes one of more than 254 apart. */
const MOST_DIGITS = 100

/**
 * Compares names that begin alike and differ first in a number, as `chunk.9.mca` and `chunk.10.mca`: below 0, above 0, or
 * 0 where this does not tell. It says what a numeric `Intl.Collator` of any language says, in a tenth of the time: in a
 * folder with very many files nearly all names are of this kind.
 */
export function compareByNumber(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let differ = 0
  while (differ < shorter && a.charCodeAt(differ) === b.charCodeAt(differ)) differ++
  let begin = differ
  while (begin > 0 && isDigit(a.charCodeAt(begin - 1))) begin--
  const endA = endOfDigits(a, differ)
  const endB = endOfDigits(b, differ)
  if (endA === begin || endB === begin) return 0
  // Digits of other scripts would belong to the number, and a mark behind a digit would change it.
  if (!isPlain(a, begin - 1) || !isPlain(a, endA) || !isPlain(b, endB)) return 0
  if (endA - begin > MOST_DIGITS || endB - begin > MOST_DIGITS) return 0
  const fromA = pastZeros(a, begin, endA)
  const fromB = pastZeros(b, begin, endB)
  if (endA - fromA !== endB - fromB) return endA - fromA - (endB - fromB)
  for (let i = 0; i < endA - fromA; i++) {
    const by = a.charCodeAt(fromA + i) - b.charCodeAt(fromB + i)
    if (by !== 0) return by
  }
  return 0
}

const ZERO = 0x30
const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39

function endOfDigits(text: string, from: number): number {
  let end = from
  while (end < text.length && isDigit(text.charCodeAt(end))) end++
  return end
}

function pastZeros(text: string, from: number, end: number): number {
  let first = from
  while (first < end && text.charCodeAt(first) === ZERO) first++
  return first
}

/** Whether there is nothing at this place, or a printable sign of ASCII. */
function isPlain(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true
  const code = text.charCodeAt(at)
  return code >= 0x20 && code < 0x7f
}
