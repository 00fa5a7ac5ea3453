import { nameOf } from '../../../../../contract/rules/paths.ts'
import {
  type Format,
  MOST_DEPTH,
  MOST_LINES,
  MOST_NODES,
  MOST_TEXT,
  NoTreeError,
  type Read,
  type Tree,
} from './tree.ts'

const byEnding: Record<string, Format> = {
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'toml',
  json: 'json',
  jsonc: 'json',
  json5: 'json',
  mcmeta: 'json',
}

export function formatOf(path: string): Format | null {
  const name = nameOf(path).toLowerCase()
  return byEnding[name.slice(name.lastIndexOf('.') + 1)] ?? null
}

export type Reader = (text: string) => Read

export async function loadReader(format: Format): Promise<Reader> {
  switch (format) {
    case 'yaml':
      return within((await import('./yaml.ts')).readYaml, format)
    case 'toml':
      return within((await import('./toml.ts')).readToml, format)
    case 'json':
      return within((await import('./json.ts')).readJson, format)
  }
}

function within(read: (text: string) => Tree, format: Format): Reader {
  return (text) => {
    const bound = text.length > MOST_TEXT[format] ? 'large' : boundOf(text, format)
    if (bound) return { ok: false, why: { kind: bound } }
    try {
      return { ok: true, tree: read(text) }
    } catch (thrown) {
      if (thrown instanceof NoTreeError) return { ok: false, why: thrown.why }
      // The parsers are recursive; TOML's recurses per character of a long text.
      if (thrown instanceof RangeError)
        return { ok: false, why: { kind: format === 'toml' ? 'large' : 'deep' } }
      throw thrown
    }
  }
}

function boundOf(text: string, format: Format): 'large' | 'deep' | null {
  if (hasMore(text, /\n/g, MOST_LINES[format])) return 'large'
  if (format === 'json') return null
  const value = format === 'yaml' ? /^[ \t]*(?:- |[\w.-]+:)/gm : /^[ \t]*[\w.-]+[ \t]*=/gm
  const most = MOST_NODES[format]
  if (hasMore(text, value, most)) return 'large'
  const bound = boundOfBrackets(text, most)
  if (bound === null && format === 'yaml' && hasMore(text, SIGN, SIGNS * most)) return 'large'
  return bound
}

/** Tokens the YAML parser splits on, with a bound per shown value; prose contains some too. */
const SIGN = /[&*!?"'[\]{},:]|-[ \t]/g
const SIGNS = 16

function hasMore(text: string, sign: RegExp, most: number): boolean {
  sign.lastIndex = 0
  let count = 0
  while (sign.test(text)) if (++count > most) return true
  return false
}

/** Opening bracket of a value after its key, dash or at the start of a line. */
const OPENS = /(?:^[ \t]*|[:=-][ \t]+|=)[[{]/gm
/** Unterminated quotes end at their line, and the lookbehind runs only at an apostrophe: matching stays linear. */
const WITHIN = /"(?:[^"\\\n]|\\.)*"?|'(?<=[[{,:]\s*')[^'\n]*'?|(?<=\s)#.*|[[\]{},]/g

/** Checks bracketed values for too many commas or too deep nesting. In prose, brackets close soon. */
function boundOfBrackets(text: string, most: number): 'large' | 'deep' | null {
  OPENS.lastIndex = 0
  while (OPENS.test(text)) {
    WITHIN.lastIndex = OPENS.lastIndex
    let [depth, commas] = [1, 0]
    for (let found; depth > 0 && (found = WITHIN.exec(text));) {
      const [sign] = found
      if (sign === '[' || sign === '{') {
        if (++depth > MOST_DEPTH) return 'deep'
      } else if (sign === ']' || sign === '}') depth--
      else if (sign === ',' && ++commas > most) return 'large'
    }
    // Let the parser report an unclosed bracket.
    if (depth > 0) return null
    OPENS.lastIndex = WITHIN.lastIndex
  }
  return null
}
