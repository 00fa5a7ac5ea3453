import type { StreamParser } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { nameOf } from '../../../../contract/rules/paths.ts'

export type LanguageName = 'properties' | 'yaml' | 'json' | 'toml' | 'xml' | 'log' | 'text'

const byEnding: Record<string, LanguageName> = {
  properties: 'properties',
  cfg: 'properties',
  conf: 'properties',
  ini: 'properties',
  env: 'properties',
  lang: 'properties',
  yml: 'yaml',
  yaml: 'yaml',
  json: 'json',
  json5: 'json',
  jsonc: 'json',
  mcmeta: 'json',
  toml: 'toml',
  xml: 'xml',
  log: 'log',
}

export function languageOf(path: string): LanguageName {
  const name = nameOf(path).toLowerCase()
  return byEnding[name.slice(name.lastIndexOf('.') + 1)] ?? 'text'
}

export async function loadLanguage(name: LanguageName): Promise<Extension> {
  switch (name) {
    case 'yaml':
      return (await import('@codemirror/lang-yaml')).yaml()
    case 'json':
      return (await import('@codemirror/lang-json')).json()
    case 'xml':
      return (await import('@codemirror/lang-xml')).xml()
    case 'properties': {
      const [{ StreamLanguage }, { properties }] = await Promise.all([
        import('@codemirror/language'),
        import('@codemirror/legacy-modes/mode/properties'),
      ])
      return StreamLanguage.define(properties)
    }
    case 'toml': {
      const [{ StreamLanguage }, { toml }] = await Promise.all([
        import('@codemirror/language'),
        import('@codemirror/legacy-modes/mode/toml'),
      ])
      return StreamLanguage.define(toml)
    }
    case 'log': {
      const { StreamLanguage } = await import('@codemirror/language')
      return StreamLanguage.define(log)
    }
    case 'text':
      return []
  }
}

const log: StreamParser<unknown> = {
  name: 'log',
  startState: () => ({}),
  token(stream) {
    if (stream.sol()) {
      if (stream.match(/^\s+at .*/) || stream.match(/^\s*\.\.\. \d+ (more|common).*/)) return 'comment'
      if (stream.match(/^(Caused by: )?[\w.$]+(Exception|Error)\b.*/)) return 'invalid'
      if (stream.match(/^\[?[\d:.,T -]{5,}Z?\]?/)) return 'comment'
    }
    if (stream.match(/^\[[^\]]*\b(ERROR|FATAL|SEVERE)\]/)) return 'invalid'
    if (stream.match(/^\[[^\]]*\bWARN(ING)?\]/)) return 'keyword'
    if (stream.match(/^\[[^\]]*\b(INFO|DEBUG|TRACE)\]/)) return 'meta'
    if (stream.match(/^(ERROR|FATAL|SEVERE)\b/)) return 'invalid'
    if (stream.match(/^WARN(ING)?\b/)) return 'keyword'
    // Word by word, so a level in mid-line is matched at its start.
    if (!stream.match(/^\w+/)) stream.next()
    return null
  },
}
