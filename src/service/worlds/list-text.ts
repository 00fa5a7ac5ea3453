import { isUtf8 } from 'node:buffer'

/** A text without the mark of its byte order, which Minecraft skips and JSON does not know. */
export const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

/** The same mark, as bytes. */
const MARK = '\u00ef\u00bb\u00bf'

/** Elements of a list at most. */
const ELEMENTS_MOST = 25_000

/** The values of a JSON list. Throws SyntaxError where a text is none, or has too many. */
export function valuesIn(text: string): unknown[] {
  const list: unknown = JSON.parse(withoutMark(text))
  if (!Array.isArray(list)) throw new SyntaxError('It is no list.')
  if (list.length > ELEMENTS_MOST) throw new SyntaxError(`It has more than ${ELEMENTS_MOST} elements.`)
  return list
}

/**
 * The text of a list, given as bytes. Minecraft writes UTF-8. Where that is damaged, as by an editor that writes Latin-1,
 * each element that is not UTF-8 is Latin-1. Throws SyntaxError where it is no list.
 *
 * @param bytes one character each
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

/** The elements of a list as they are written, byte by byte. Throws SyntaxError where it is no list. */
export function elementsIn(bytes: string): string[] {
  const text = bytes.startsWith(MARK) ? bytes.slice(MARK.length) : bytes
  if (valuesIn(text).length === 0) return []
  const inside = text.trim().slice(1, -1)
  const elements: string[] = []
  let depth = 0
  let from = 0
  // It is JSON, so brackets close what they open, and a quote that is not escaped ends a string.
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

/** A list of such elements, again as bytes. */
export const listOf = (elements: readonly string[]): string =>
  elements.length === 0 ? '[]' : `[\n  ${elements.join(',\n  ')}\n]`

/** A new element, in UTF-8, as bytes. */
export const elementOf = (value: unknown): string =>
  Buffer.from(JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')).toString('latin1')
