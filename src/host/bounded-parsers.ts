import { parse } from 'smol-toml'
import { type Document, Lexer, parseDocument } from 'yaml'
import { isWithin } from '../contract/rules/json-bounds.ts'

/** The longest real plugin descriptions have 100,000 characters. */
const CHARS_MOST = 256 * 1024
/** YAML tokens, including whitespace. A line of a map has about eight. */
const TOKENS_MOST = 60_000
/** Resolving aliases is quadratic. */
const ALIASES_MOST = 1_000
const VALUES_MOST = 20_000
const DEPTH_MOST = 64

/** The text is larger or deeper than any real file, so it wasn't parsed. */
export class ParseLimitError extends Error {}

interface ParsedYaml {
  /** Scalars are strings or null: the version `1.10` isn't the number 1.1. */
  value: unknown
  /** Whether SnakeYAML, the servers' parser, certainly rejects it. */
  isRefused: boolean
}

/** Parses untrusted YAML in bounded time, ignoring errors. Throws `ParseLimitError`. */
export function parseYaml(text: string): ParsedYaml {
  requireShort(text)
  // SnakeYAML treats all of these as line breaks.
  const lines = text.replace(/^\ufeff/, '').replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
  const signs = signsIn(lines)
  if (signs.isUnresolved) return { value: null, isRefused: true }
  const document = withoutTraces(
    () =>
      parseDocument(lines, {
        // `silent` would hide a second document.
        ...{ logLevel: 'error', schema: 'failsafe', customTags: ['null'] },
        // Both are quadratic: comparing keys, and locating errors.
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

// eslint-disable-next-line no-control-regex -- matched on purpose
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/
const IS_CLOSED = /^(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')$/
/** Lexer tokens that aren't part of the text: start of a document, of a scalar, and early end of a flow collection. */
const [DOCUMENT, SCALAR, BROKEN_OFF] = ['\u0002', '\u001f', '\u0018']

/** Counts tokens before parsing, and finds where SnakeYAML and our parser disagree. */
function signsIn(text: string): { isRefused: boolean; isDoubtful: boolean; isUnresolved: boolean } {
  let [tokens, aliases, brackets, inLine, at] = [0, 0, 0, 0, 0]
  let [isRefused, isDoubtful, isUnresolved] = [UNPRINTABLE.test(text), false, false]
  const anchors = new Set<string>()
  const lastClosed = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'))
  let before = '\n'
  let isPlain = false
  for (const token of new Lexer().lex(text)) {
    if (++tokens > TOKENS_MOST) throw new ParseLimitError()
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
      // SnakeYAML accepts comments right after a value, and flow collections and quotes continued in column 0.
      else if (first === '#') isDoubtful ||= !/\s$/.test(before)
      else if (first === '"' || first === "'")
        isDoubtful ||= !IS_CLOSED.test(token) && text.includes(first, at)
      // SnakeYAML accepts tabs only after plain values.
      else if (first === ' ' || first === '\t') isRefused ||= token.includes('\t') && !wasPlain
      if (brackets + inLine > DEPTH_MOST || aliases > ALIASES_MOST) throw new ParseLimitError()
    }
    before = token
  }
  return { isRefused, isDoubtful, isUnresolved }
}

/** Stack traces are what makes thousands of errors slow. */
function withoutTraces<T>(act: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return act()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Parses untrusted TOML in bounded time. Throws `ParseLimitError`, and on syntax errors. */
export function parseToml(text: string): Record<string, unknown> {
  requireShort(text)
  return parse(text.replace(/^\ufeff/, ''), { maxDepth: DEPTH_MOST })
}

/** Parses untrusted JSON in bounded time. Throws `ParseLimitError`, and on syntax errors. */
export function parseJson(text: string): unknown {
  requireShort(text)
  const json = text.replace(/^\ufeff/, '')
  if (!isWithin({ values: VALUES_MOST, depth: DEPTH_MOST }, Buffer.from(json))) throw new ParseLimitError()
  return JSON.parse(json)
}

function requireShort(text: string): void {
  if (text.length > CHARS_MOST) throw new ParseLimitError()
}
