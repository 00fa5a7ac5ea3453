import { isWithin } from '../json-bounds.ts'

/** Removes a byte order mark, which Minecraft skips and JSON.parse rejects. */
export const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

/** UTF-8 byte order mark, read as Latin-1. */
const MARK = '\u00ef\u00bb\u00bf'

const ELEMENTS_MOST = 25_000
/** An entry has at most six fields. */
const VALUES_MOST = 10 * ELEMENTS_MOST
const DEPTH_MOST = 20

/** Throws SyntaxError if it isn't an array, or too long. @param bytes one character per byte */
export const valuesIn = (bytes: string): unknown[] => parsed(decodedList(bytes))

function parsed(text: string): unknown[] {
  const list: unknown = JSON.parse(withoutMark(text))
  if (!Array.isArray(list)) throw new SyntaxError('It is no list.')
  if (list.length > ELEMENTS_MOST) throw new SyntaxError(`It has more than ${ELEMENTS_MOST} elements.`)
  return list
}

/** Mixed encodings are decoded per element. Throws SyntaxError. @param bytes one character per byte */
function decodedList(bytes: string): string {
  requireModest(bytes)
  return (
    decoded(bytes) ??
    `[${elementsIn(bytes)
      .map((element) => decoded(element) ?? element)
      .join()}]`
  )
}

function requireModest(bytes: string): void {
  if (!isWithin({ values: VALUES_MOST, depth: DEPTH_MOST }, Buffer.from(bytes, 'latin1')))
    throw new SyntaxError('It is made of too many values.')
}

function decoded(bytes: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return null
  }
}

/** Throws SyntaxError. */
export function elementsIn(bytes: string): string[] {
  requireModest(bytes)
  const text = bytes.startsWith(MARK) ? bytes.slice(MARK.length) : bytes
  if (parsed(text).length === 0) return []
  const inside = text.trim().slice(1, -1)
  const elements: string[] = []
  let depth = 0
  let from = 0
  // Valid JSON: brackets match, and an unescaped quote ends a string.
  for (let at = 0; at < inside.length; at++) {
    const sign = inside[at]
    if (sign === '"') at = endOfString(inside, at)
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    else if (sign === ',' && depth === 0) {
      elements.push(inside.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...elements, inside.slice(from).trim()]
}

function endOfString(text: string, begin: number): number {
  for (let at = text.indexOf('"', begin + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text[escapes - 1] === '\\') escapes--
    if ((at - escapes) % 2 === 0) return at
  }
}

/** One character per byte. */
export const listOf = (elements: readonly string[]): string =>
  elements.length === 0 ? '[]' : `[\n  ${elements.join(',\n  ')}\n]`

/** One character per byte. */
export const elementOf = (value: unknown): string =>
  Buffer.from(JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')).toString('latin1')
