import type { ForeignLine } from './columns.ts'

export const keyOf = ({ time, text }: ForeignLine): string => `${time}\n${text}`

/**
 * How many lines of a page were seen before, for ids without order. `seen`: the newest known lines. Compares ids if
 * they name the same lines again, else the content.
 */
export function overlapOf(seen: readonly ForeignLine[], page: readonly ForeignLine[]): number {
  return byIds(seen, page) ?? byText(seen, page)
}

/** Null if ids are missing or reused for other lines. */
function byIds(seen: readonly ForeignLine[], page: readonly ForeignLine[]): number | null {
  const known = new Map<string, string>()
  for (const line of seen) {
    if (line.id === null) continue
    const before = known.get(line.id)
    if (before !== undefined && before !== keyOf(line)) return null
    known.set(line.id, keyOf(line))
  }
  if (known.size === 0 || page.some(({ id }) => id === null)) return null
  let overlap = 0
  for (const [at, line] of page.entries()) {
    const before = known.get(line.id as string)
    if (before === undefined) continue
    // Ids are positions in the page, or all equal: matching by them would skip new lines.
    if (before !== keyOf(line)) return null
    overlap = at + 1
  }
  return overlap
}

/** The page position after all of `seen`; else the page's longest prefix that `seen` ends with. */
function byText(seen: readonly ForeignLine[], page: readonly ForeignLine[]): number {
  const wanted = page.map(keyOf)
  const had = seen.slice(-wanted.length).map(keyOf)
  if (had.length === 0) return 0
  const whole = search(had, wanted)
  return whole.found ?? search(wanted, had).atEnd
}

/** Knuth-Morris-Pratt: first match of the pattern, and how much of its beginning the text ends with. */
function search(pattern: readonly string[], text: readonly string[]): { found?: number; atEnd: number } {
  const shorter = [0]
  for (let at = 1, length = 0; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = shorter[length - 1] ?? 0
    if (pattern[at] === pattern[length]) length++
    shorter.push(length)
  }
  let length = 0
  for (const [at, key] of text.entries()) {
    while (length > 0 && key !== pattern[length]) length = shorter[length - 1] ?? 0
    if (key === pattern[length]) length++
    if (length === pattern.length) return { found: at + 1, atEnd: length }
  }
  return { atEnd: length }
}
