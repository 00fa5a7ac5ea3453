import { isUtf8 } from 'node:buffer'

/** Removes a byte order mark, which Minecraft skips and JSON.parse rejects. */
export const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

/** A byte order mark in UTF-8, read as Latin-1. */
const MARK = '\u00ef\u00bb\u00bf'

/** Most elements of a list. */
const ELEMENTS_MOST = 25_000

/** Parses a JSON array. Throws SyntaxError if a text is not one, or has too many elements. */
export function valuesIn(text: string): unknown[] {
  const list: unknown = JSON.parse(withoutMark(text))
  if (!Array.isArray(list)) throw new SyntaxError('It is no list.')
  if (list.length > ELEMENTS_MOST) throw new SyntaxError(`It has more than ${ELEMENTS_MOST} elements.`)
  return list
}

/**
 * Decodes a list. Minecraft writes UTF-8; in a file that isn't valid UTF-8, such as one saved by an editor as Latin-1, each
 * element is decoded by itself, as UTF-8 if it is valid. Throws SyntaxError if it is not a list.
 *
 * @param bytes one character per byte
 */
export function decodedList(bytes: string): string {
  return (
    decoded(bytes) ??
    `[${elementsIn(bytes)
      .map((element) => decoded(element) ?? element)
      .join()}]`
  )
}

function decoded(bytes: string): string | null {
  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString('utf8') : null
}

/** Splits a list into the bytes of its elements. Throws SyntaxError if it is not a list. */
export function elementsIn(bytes: string): string[] {
  const text = bytes.startsWith(MARK) ? bytes.slice(MARK.length) : bytes
  if (valuesIn(text).length === 0) return []
  const inside = text.trim().slice(1, -1)
  const elements: string[] = []
  let depth = 0
  let from = 0
  // It is valid JSON: brackets match, and an unescaped quote ends a string.
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

/** Joins elements to a list, one character per byte. */
export const listOf = (elements: readonly string[]): string =>
  elements.length === 0 ? '[]' : `[\n  ${elements.join(',\n  ')}\n]`

/** A new element in UTF-8, one character per byte. */
export const elementOf = (value: unknown): string =>
  Buffer.from(JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')).toString('latin1')
