import { parse } from 'smol-toml'
import { type Document, Lexer, parseDocument } from 'yaml'
import { isModest } from './json-shape.ts'

/** Characters of a text. The longest honest descriptions of plugins have 100,000. */
const CHARS_MOST = 256 * 1024
/** What YAML is made of: names, values, signs, blanks, ends of lines. A line of a map has eight. */
const TOKENS_MOST = 60_000
/** Each of them is looked up among all the others. */
const ALIASES_MOST = 1_000
/** Values of JSON. */
const VALUES_MOST = 20_000
/** Lists and maps within each other. */
const DEPTH_MOST = 64

/** A text is longer or deeper than anything honest, so it was not read. */
export class BeyondBounds extends Error {}

/** What came of reading YAML. */
export interface ParsedYaml {
  /** All scalars are texts, but for those that say nothing: `1.10` as a version is not the number 1.1. */
  value: unknown
  /** Whether SnakeYAML, by which servers read it, takes it for an error. False where that is not certain. */
  isRefused: boolean
}

/**
 * Reads what strangers have written as YAML, in bounded time. Mistakes are left out of it. Throws `BeyondBounds`.
 */
export function parseYaml(text: string): ParsedYaml {
  requireShort(text)
  // SnakeYAML ends lines at all of these.
  const lines = text.replace(/^\ufeff/, '').replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
  const signs = signsIn(lines)
  if (signs.isUnresolved) return { value: null, isRefused: true }
  const document = withoutTraces(
    () =>
      parseDocument(lines, {
        // Silent, it would not complain of a second document.
        ...{ logLevel: 'error', schema: 'failsafe', customTags: ['null'] },
        // Comparing all keys, and finding the line of each error, takes minutes where a stranger makes many.
        ...{ uniqueKeys: false, prettyErrors: false },
      }) as Document,
  )
  const hasErrors = document.errors.length > 0
  document.errors = []
  return {
    value: document.toJS({ maxAliasCount: -1 }),
    isRefused: signs.isRefused || (hasErrors && !signs.isDoubtful),
  }
}

/** What SnakeYAML does not print, so it does not read it. */
// eslint-disable-next-line no-control-regex -- among others
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/
const IS_CLOSED = /^(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')$/
/** The lexer's words that are not in the text: a document and a scalar come next, and brackets end before they are closed. */
const [DOCUMENT, SCALAR, BROKEN_OFF] = ['\u0002', '\u001f', '\u0018']

/** Counts what YAML is made of before it is parsed, and finds what SnakeYAML reads otherwise than our parser does. */
function signsIn(text: string): { isRefused: boolean; isDoubtful: boolean; isUnresolved: boolean } {
  let [tokens, aliases, brackets, inLine, at] = [0, 0, 0, 0, 0]
  let [isRefused, isDoubtful, isUnresolved] = [UNPRINTABLE.test(text), false, false]
  const anchors = new Set<string>()
  const lastClosed = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'))
  let before = '\n'
  let isPlain = false
  for (const token of new Lexer().lex(text)) {
    if (++tokens > TOKENS_MOST) throw new BeyondBounds()
    if (token !== DOCUMENT && token !== SCALAR && token !== BROKEN_OFF) at += token.length
    const wasPlain = isPlain
    isPlain = before === SCALAR
    if (!isPlain) {
      const [first] = token
      if (first === '[' || first === '{') brackets++
      else if (first === ']' || first === '}') brackets--
      else if (first === '-' || first === '?' || first === ':') inLine++
      else if (first === '\n' || first === ',') inLine = 0
      else if (first === '&') anchors.add(token.slice(1))
      else if (first === '*') {
        aliases++
        isUnresolved ||= !anchors.has(token.slice(1))
      } else if (first === BROKEN_OFF) {
        brackets = 0
        isDoubtful ||= lastClosed >= at
      }
      // It takes a comment right behind a value, and brackets and quotes that are closed at the beginning of a line.
      else if (first === '#') isDoubtful ||= !/\s$/.test(before)
      else if (first === '"' || first === "'")
        isDoubtful ||= !IS_CLOSED.test(token) && text.includes(first, at)
      // It takes tabs behind a value without quotes alone.
      else if (first === ' ' || first === '\t') isRefused ||= token.includes('\t') && !wasPlain
      if (brackets + inLine > DEPTH_MOST || aliases > ALIASES_MOST) throw new BeyondBounds()
    }
    before = token
  }
  return { isRefused, isDoubtful, isUnresolved }
}

/** Each error would note where it was made: most of the time that many of them take. */
function withoutTraces<T>(act: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return act()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Reads what strangers have written as TOML, in bounded time. Throws `BeyondBounds`, and where it is none. */
export function parseToml(text: string): Record<string, unknown> {
  requireShort(text)
  return parse(text.replace(/^\ufeff/, ''), { maxDepth: DEPTH_MOST })
}

/** Reads what strangers have written as JSON, in bounded time. Throws `BeyondBounds`, and where it is none. */
export function parseJson(text: string): unknown {
  requireShort(text)
  const json = text.replace(/^\ufeff/, '')
  if (!isModest(Buffer.from(json), VALUES_MOST, DEPTH_MOST)) throw new BeyondBounds()
  return JSON.parse(json)
}

function requireShort(text: string): void {
  if (text.length > CHARS_MOST) throw new BeyondBounds()
}
