import { ensureSyntaxTree, highlightingFor } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { highlightTree } from '@lezer/highlight'
import { describe, expect, it } from 'vitest'
import { codeTheme } from './code-theme.ts'
import { languageOf, loadLanguage, type LanguageName } from './languages.ts'

describe('the language of a file', () => {
  it.each([
    ['server.properties', 'properties'],
    ['plugins/Essentials/config.YML', 'yaml'],
    ['ops.json', 'json'],
    ['pack.mcmeta', 'json'],
    ['config/paper.toml', 'toml'],
    ['log4j2.xml', 'xml'],
    ['logs/latest.log', 'log'],
    ['eula.txt', 'text'],
    ['.env', 'properties'],
    ['yml/readme', 'text'],
    ['世界/ملف.yaml', 'yaml'],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language)
  })
})

/** What the editor colors in a text: each piece with its color, as a class of the theme. */
async function colored(name: LanguageName, text: string): Promise<Map<string, string>> {
  const state = EditorState.create({ doc: text, extensions: [await loadLanguage(name), codeTheme] })
  const tree = ensureSyntaxTree(state, text.length, 5000)
  const found = new Map<string, string>()
  if (tree)
    highlightTree(tree, { style: (tags) => highlightingFor(state, tags) }, (from, to, color) => {
      found.set(text.slice(from, to), color)
    })
  return found
}

describe('the colors of a language', () => {
  it.each<[LanguageName, string, string[]]>([
    ['properties', '# by hand\nmotd=A server\n', ['# by hand', 'motd']],
    ['yaml', '# by hand\nlevel: world\nkeep: "yes"\n', ['# by hand', 'level', '"yes"']],
    ['json', '{ "ops": [4, true], "name": "Ann" }', ['"ops"', '4', 'true', '"Ann"']],
    ['toml', '# by hand\n[section]\nkey = "text"\ncount = 3\n', ['# by hand', '"text"', '3']],
    ['xml', '<!-- by hand --><a href="b">text</a>', ['<!-- by hand -->', 'a', 'href', '"b"']],
    ['log', '[10:00:00] [main/ERROR]: Failed\n\tat a.B(C)\n', ['[10:00:00]', '[main/ERROR]']],
  ])('of %s fall on what is to be told apart', async (name, text, pieces) => {
    const found = await colored(name, text)
    expect([...found.keys()]).toEqual(expect.arrayContaining(pieces))
    // What differs in kind differs in color.
    expect(new Set(pieces.map((piece) => found.get(piece))).size).toBeGreaterThan(1)
  })

  it('are none in a text of no language', async () => {
    expect([...(await colored('text', 'key: "value" # 3'))]).toEqual([])
  })
})
