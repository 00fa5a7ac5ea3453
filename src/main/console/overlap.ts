import type { ForeignLine } from './columns.ts'

/** What tells a line from others where ids do not. */
export const keyOf = ({ time, text }: ForeignLine): string => `${time}\n${text}`

/**
 * How many lines of a page were seen before, of a service whose ids do not count: `seen` are the newest ones, `page` what
 * it answered now. By the ids where those name the same lines again, else by what the lines say.
 */
export function overlapOf(seen: readonly ForeignLine[], page: readonly ForeignLine[]): number {
  return byIds(seen, page) ?? byText(seen, page)
}

/** Null where the ids tell nothing: there are none, or they name other lines than last time. */
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
    // A place in the page, or one id for all: it would pass over lines that are new.
    if (before !== keyOf(line)) return null
    overlap = at + 1
  }
  return overlap
}

/** Up to where the page holds all that was seen; else its longest begin that `seen` ends with. */
function byText(seen: readonly ForeignLine[], page: readonly ForeignLine[]): number {
  const wanted = page.map(keyOf)
  const had = seen.slice(-wanted.length).map(keyOf)
  if (had.length === 0) return 0
  const whole = search(had, wanted)
  return whole.found ?? search(wanted, had).atEnd
}

/** Knuth, Morris and Pratt: where the pattern first ends in the text, and how much of its begin the text ends with. */
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
