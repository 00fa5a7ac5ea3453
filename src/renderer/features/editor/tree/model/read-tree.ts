import { nameOf } from '../../../../../contract/rules/paths.ts'
import { type Format, MOST_LINES, MOST_TEXT, NoTreeError, type ParseResult, type Tree } from './tree.ts'

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

export type Reader = (text: string) => ParseResult

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
    if (text.length > MOST_TEXT[format] || hasMoreLines(text, MOST_LINES[format]))
      return { ok: false, why: { kind: 'large' } }
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

function hasMoreLines(text: string, most: number): boolean {
  for (let at = -1, lines = 0; (at = text.indexOf('\n', at + 1)) !== -1;) if (++lines > most) return true
  return false
}
