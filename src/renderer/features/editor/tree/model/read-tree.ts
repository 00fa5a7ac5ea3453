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

/** Whether there are more lines with values than a tree shows: found before the parser has made all of them. */
function hasTooMany(text: string, format: Format): boolean {
  if (format === 'json') return false
  const value = format === 'yaml' ? /^[ \t]*(?:- |[\w.-]+:)/gm : /^[ \t]*[\w.-]+[ \t]*=/gm
  let count = 0
  while (value.test(text)) if (++count > MOST_NODES) return true
  return false
}
