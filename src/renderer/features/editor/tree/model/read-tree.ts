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

/** What a file is read as, by its name; null where there is no tree. */
export function formatOf(path: string): Format | null {
  const name = nameOf(path).toLowerCase()
  return byEnding[name.slice(name.lastIndexOf('.') + 1)] ?? null
}

/** Reads a text as a tree. */
export type Reader = (text: string) => Read

/** The reader of a format; its parser is loaded when it is first wanted. */
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
      // The parsers call themselves for what lies within; that of TOML hands a long text on character by character.
      if (thrown instanceof RangeError)
        return { ok: false, why: { kind: format === 'toml' ? 'large' : 'deep' } }
      throw thrown
    }
  }
}

/** Which bound a text goes beyond: found before the parser has made all that is in it. */
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

/** What the parser of YAML takes apart, and so many for each value that is shown: beside prose a text has a few of each. */
const SIGN = /[&*!?"'[\]{},:]|-[ \t]/g
const SIGNS = 16

function hasMore(text: string, sign: RegExp, most: number): boolean {
  sign.lastIndex = 0
  let count = 0
  while (sign.test(text)) if (++count > most) return true
  return false
}

/** What a value between brackets begins with, behind its key, its dash or nothing. */
const OPENS = /(?:^[ \t]*|[:=-][ \t]+|=)[[{]/gm
/**
 * What counts within: texts between quotation marks and comments are passed over. A text without its end is passed over up
 * to the end of its line, and what is before an apostrophe is looked at only where one is: it takes no longer than reading.
 */
const WITHIN = /"(?:[^"\\\n]|\\.)*"?|'(?<=[[{,:]\s*')[^'\n]*'?|(?<=\s)#.*|[[\]{},]/g

/** Whether a value between brackets holds more than this many commas, or brackets within brackets. What is no such value has its brackets closed soon. */
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
    // One without an end is for the parser to tell.
    if (depth > 0) return null
    OPENS.lastIndex = WITHIN.lastIndex
  }
  return null
}
