/** Fewer are sorted in no time. */
const FEWEST = 500
/** Most entries and largest number, so that both fit into one number: 2^16 · 2^36 < 2^53. */
const MOST = 2 ** 16
const LARGEST = 2 ** 36

/**
 * The same entries in another order: those whose names differ in their last number alone stand together, by that number.
 * It says nothing about the order they are shown in, which depends on the window. But that is how very many files are
 * mostly called, and a sort that finds them in order is done at once, where a page that was just opened would take 50 ms
 * for 20,000.
 */
export function inRuns<T extends { name: string }>(entries: T[]): T[] {
  if (entries.length < FEWEST || entries.length > MOST) return entries
  /** For each name without its number: the numbers, each with the place of its entry. */
  const alike = new Map<string, number[]>()
  for (const [at, { name }] of entries.entries()) {
    const [number, rest] = apart(name)
    const numbers = alike.get(rest)
    const both = Math.min(Number(number), LARGEST) * MOST + at
    if (numbers) numbers.push(both)
    else alike.set(rest, [both])
  }
  const result: T[] = []
  for (const numbers of alike.values())
    for (const both of Float64Array.from(numbers).sort()) result.push(entries[both % MOST] as T)
  return result
}

/** The last number of a name, and the name without it. */
function apart(name: string): [number: string, rest: string] {
  let end = name.length
  while (end > 0 && !isDigit(name.charCodeAt(end - 1))) end--
  let begin = end
  while (begin > 0 && isDigit(name.charCodeAt(begin - 1))) begin--
  return [name.slice(begin, end), `${name.slice(0, begin)}/${name.slice(end)}`]
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
