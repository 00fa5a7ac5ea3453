import { nameOf } from '../../../../../contract/pure/paths.ts'
import { type Format, MOST_NODES, MOST_TEXT, NoTreeError, type Read, type Tree } from './tree.ts'

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
    if (text.length > MOST_TEXT[format] || hasTooMany(text, format))
      return { ok: false, why: { kind: 'large' } }
    try {
      return { ok: true, tree: read(text) }
    } catch (thrown) {
      if (thrown instanceof NoTreeError) return { ok: false, why: thrown.why }
      // The parsers call themselves for what lies within: brackets without end fill the stack.
      if (thrown instanceof RangeError) return { ok: false, why: { kind: 'deep' } }
      throw thrown
    }
  }
}

/** Whether there are more values than a tree shows: found before the parser has made all of them. */
function hasTooMany(text: string, format: Format): boolean {
  if (format === 'json') return false
  const value = format === 'yaml' ? /^[ \t]*(?:- |[\w.-]+:)/gm : /^[ \t]*[\w.-]+[ \t]*=/gm
  const most = MOST_NODES[format]
  let count = 0
  while (value.test(text)) if (++count > most) return true
  return hasLongList(text, most)
}

/** What a value between brackets begins with, behind its key, its dash or nothing. */
const OPENS = /(?:^[ \t]*|[:=-][ \t]+|=)[[{]/gm
/**
 * What counts within: texts between quotation marks and comments are passed over. A text without its end is passed over up
 * to the end of its line, and what is before an apostrophe is looked at only where one is: it takes no longer than reading.
 */
const WITHIN = /"(?:[^"\\\n]|\\.)*"?|'(?<=[[{,:]\s*')[^'\n]*'?|(?<=\s)#.*|[[\]{},]/g

/** Whether a value between brackets holds more than this many commas. What is no such value has its brackets closed soon. */
function hasLongList(text: string, most: number): boolean {
  OPENS.lastIndex = 0
  while (OPENS.test(text)) {
    WITHIN.lastIndex = OPENS.lastIndex
    let [depth, commas] = [1, 0]
    for (let found; depth > 0 && (found = WITHIN.exec(text));) {
      const [sign] = found
      if (sign === '[' || sign === '{') depth++
      else if (sign === ']' || sign === '}') depth--
      else if (sign === ',' && ++commas > most) return true
    }
    // One without an end is for the parser to tell.
    if (depth > 0) return false
    OPENS.lastIndex = WITHIN.lastIndex
  }
  return false
}
