/** A collator splits numbers of more than 254 digits. */
const MOST_DIGITS = 100

/** Like a numeric `Intl.Collator`, ten times faster, for names first differing in a number; 0 if undecided. */
export function compareByNumber(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let differ = 0
  while (differ < shorter && a.charCodeAt(differ) === b.charCodeAt(differ)) differ++
  let begin = differ
  while (begin > 0 && isDigit(a.charCodeAt(begin - 1))) begin--
  const endA = endOfDigits(a, differ)
  const endB = endOfDigits(b, differ)
  if (endA === begin || endB === begin) return 0
  // Adjacent non-ASCII could be digits of another script, or a combining mark.
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

function isPlain(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true
  const code = text.charCodeAt(at)
  return code >= 0x20 && code < 0x7f
}
