import type { z } from 'zod'
import { lineNamesOf } from '../../../contract/declarations/also-named.ts'
import { type Fields, isFields, own } from './fields.ts'
import { plain } from './scalars.ts'
import { ENVELOPES } from './wrapped.ts'

/** Only the last lines of a text are kept; no caller asks for more. */
const LINES_MOST = 20_000

/** Undefined if the list may not be text, or if it looks like cut JSON, a page or a single word such as `OK`. */
export function linesOfText(item: z.ZodType, contentType: string | null, text: string): unknown {
  if (!lineNamesOf(item) || !/^\s*text\/plain\b/i.test(contentType ?? '')) return undefined
  return /^\s*[{[<]|\0/.test(text) || !/\S[^\n]*\n/.test(text) ? undefined : asList(text)
}

/** Replaces a list that came as a single string with its lines. */
export function withLines(item: z.ZodType, value: unknown): unknown {
  const names = lineNamesOf(item)
  if (!names) return value
  if (typeof value === 'string') return /\S[^\n]*\n/.test(value) ? asList(value) : value
  // Beside a list, a string is something else, such as the log's name.
  if (!isFields(value) || Object.values(value).some(Array.isArray)) return value
  for (const name of Object.keys(value)) {
    const inner = own(value, name)
    if (typeof inner === 'string' && names.includes(plain(name))) return replaced(value, name, inner)
    const around = (ENVELOPES as readonly string[]).includes(name) && isFields(inner) ? inner : {}
    const within = Object.keys(around).find((one) => names.includes(plain(one)))
    const text = within === undefined ? undefined : own(around, within)
    if (typeof text === 'string') return { ...value, [name]: replaced(around, within as string, text) }
  }
  return value
}

/** `hasMore`: dropped lines belong to the same list. */
function replaced(around: Fields, name: string, text: string): Fields {
  const { items, hasMore } = asList(text)
  return { ...around, [name]: items, ...(hasMore && { hasMore }) }
}

function asList(text: string): { items: string[]; hasMore?: true } {
  const end = /\r?\n$/.test(text) ? text.lastIndexOf('\n') : text.length
  let begin = end
  let count = 0
  while (begin > 0 && count < LINES_MOST) {
    begin = text.lastIndexOf('\n', begin - 1)
    count++
    if (begin < 0) break
  }
  const from = begin < 0 || count < LINES_MOST ? 0 : begin + 1
  const lines = end === 0 ? [] : text.slice(from, end).split('\n')
  const items = lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  return from > 0 ? { items, hasMore: true } : { items }
}
