import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { GFM, parser } from '@lezer/markdown'
import type { SyntaxNodeRef } from '@lezer/common'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
/** Every document of the project. What packages and builds bring is in other folders. */
const pages = globSync('{*,{.ci,.github,build,docs,src,tests}/**/*}.md', { cwd: root }).map((file) =>
  file.replaceAll('\\', '/'),
)

/** The most a document may have, in kB (1,000 bytes); any other page 5 kB. */
const LIMITS: Record<string, number> = {
  'README.md': 5,
  'ARCHITECTURE.md': 10,
  'SECURITY.md': 7,
  'CONTRIBUTING.md': 5,
  'CHANGELOG.md': 2,
  // Generated: a line for each operation.
  'docs/contract.md': 45,
}
/** The specification as it was given: its size and shape are not ours. */
const GIVEN = 'docs/spec/hosting-control-api.md'
const LINE_MOST = 300
const CELL_MOST = 80

const markdown = parser.configure(GFM)

/** What `parse` finds in a page: links and pictures with their lines, cells of tables, and anchors. */
interface Parts {
  links: { target: string; line: number }[]
  cells: { text: string; line: number }[]
  anchors: Set<string>
}

function parse(text: string): Parts {
  const parts: Parts = { links: [], cells: [], anchors: new Set() }
  const lineAt = (at: number) => text.slice(0, at).split('\n').length
  const add = (target: string, at: number) => parts.links.push({ target, line: lineAt(at) })
  markdown.parse(text).iterate({
    enter(node) {
      const { name, from, to } = node
      const own = text.slice(from, to)
      if (name === 'TableCell') parts.cells.push({ text: own, line: lineAt(from) })
      if (name === 'URL' && /^(Link|Image|LinkReference)$/.test(node.node.parent?.name ?? ''))
        add(own.replace(/^<(.*)>$/, '$1'), from)
      if (name === 'HTMLBlock' || name === 'HTMLTag') {
        for (const [, target = ''] of own.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)) add(target, from)
        for (const [, id = ''] of own.matchAll(/\s(?:id|name)="([^"]*)"/g)) parts.anchors.add(id)
      }
      if (/^(ATX|Setext)Heading/.test(name))
        parts.anchors.add(freeAnchor(headingOf(node, text), parts.anchors))
    },
  })
  return parts
}

/** The words of a heading, as they are shown. */
function headingOf({ node }: SyntaxNodeRef, text: string): string {
  let shown = ''
  let at = node.from
  node.cursor().iterate(({ name, from, to }) => {
    if (!/Mark$|^URL$|^LinkTitle$/.test(name)) return
    shown += text.slice(at, from)
    at = to
  })
  return (shown + text.slice(at, node.to)).trim()
}

/** The anchor GitHub gives a heading; the second one of the same words ends in `-1`. */
function freeAnchor(heading: string, taken: ReadonlySet<string>): string {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
  const anchor = plain.replaceAll(' ', '-')
  for (let count = 0; ; count++) {
    const one = count === 0 ? anchor : `${anchor}-${count}`
    if (!taken.has(one)) return one
  }
}

/** Why a link of a page leads nowhere; null where it leads somewhere, or out of the project. */
function whyBroken(page: string, target: string, text: string): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return null
  const [, to = '', anchor] = /^([^#]*)(?:#(.*))?$/.exec(target) ?? []
  const file = to === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(to))
  if (to.startsWith('/') || file.startsWith('..')) return 'leads out of the project'
  const content = file === page ? text : null
  if (content === null && !existsSync(path.join(root, file))) return 'leads to no file'
  if (anchor === undefined) return null
  if (!file.endsWith('.md')) return 'has an anchor, but leads to no document'
  const { anchors } = parse(content ?? readFileSync(path.join(root, file), 'utf8'))
  return anchors.has(decodeURIComponent(anchor)) ? null : 'leads to no heading'
}

const sources = globSync('{src,build,tests}/**/*.{ts,js,svelte}', { cwd: root }).map((file) =>
  file.replaceAll('\\', '/'),
)

/** Files of code that a page names by at least their folder, and that are not there. */
const goneFiles = (text: string): string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|svelte))`/g)].flatMap(([, named = '']) =>
    sources.some((file) => `/${file}`.endsWith(`/${named}`)) ? [] : [`${named} is no file`],
  )

/** What is wrong with a page, each fault a line. */
const faultsOf = (page: string, text: string): string[] => [
  ...(page === GIVEN ? [] : [...faultsOfShape(page, text), ...goneFiles(text)]),
  ...parse(text).links.flatMap(({ target, line }) => {
    const why = whyBroken(page, target, text)
    return why ? [`line ${line}: ${target} ${why}`] : []
  }),
]

function faultsOfShape(page: string, text: string): string[] {
  const most = LIMITS[page] ?? 5
  const bytes = Buffer.byteLength(text)
  const longLines = text.split('\n').flatMap((line, at) => ([...line].length > LINE_MOST ? [at + 1] : []))
  const longCells = parse(text).cells.filter((cell) => [...cell.text].length > CELL_MOST)
  return [
    ...(bytes > most * 1000 ? [`${bytes} bytes, at most ${most} kB`] : []),
    ...longLines.map((line) => `line ${line} is too long`),
    ...longCells.map(({ line, text }) => `line ${line} has a cell that is too long: ${text.slice(0, 40)}…`),
  ]
}

test('the documents are found', () => {
  expect(pages).toEqual(
    expect.arrayContaining([...Object.keys(LIMITS), GIVEN, 'docs/service.md', 'tests/README.md']),
  )
})

test.each(pages)('%s keeps its size, and its links lead somewhere', (page) => {
  expect(faultsOf(page, readFileSync(path.join(root, page), 'utf8'))).toEqual([])
})

test('docs/README.md and docs/decisions/README.md link every page beside them', () => {
  for (const folder of ['docs', 'docs/decisions']) {
    const { links } = parse(readFileSync(path.join(root, folder, 'README.md'), 'utf8'))
    const linked = new Set(links.map(({ target }) => path.posix.join(folder, target.replace(/#.*/, ''))))
    const beside = pages.filter((page) => path.posix.dirname(page) === folder && !page.endsWith('/README.md'))
    expect(beside.filter((page) => !linked.has(page))).toEqual([])
  }
})

test('a page that is too large or too wide is found out', () => {
  const cell = 'x'.repeat(81)
  expect(faultsOf('docs/a.md', 'a word\n'.repeat(715))).toEqual(['5005 bytes, at most 5 kB'])
  expect(faultsOf('SECURITY.md', 'a word\n'.repeat(1000))).toEqual([])
  expect(faultsOf('docs/a.md', `# A\n\n${'ä'.repeat(301)}`)).toEqual(['line 3 is too long'])
  expect(faultsOf('docs/a.md', `| a |\n| - |\n| ${cell} |\n`)).toEqual([
    `line 3 has a cell that is too long: ${cell.slice(0, 40)}…`,
  ])
  expect(faultsOf('docs/a.md', `\`\`\`\n| a |\n| - |\n| ${cell} |\n\`\`\`\n`)).toEqual([])
})

test('a file of code that is named, and is not there, is found out', () => {
  expect(
    faultsOf('docs/a.md', 'See `tests/unit/documents.test.ts`, `unit/documents.test.ts` and `x.ts`.'),
  ).toEqual([])
  expect(faultsOf('docs/a.md', 'See `unit/gone.ts`.')).toEqual(['unit/gone.ts is no file'])
})

test('links that lead nowhere are found out, and others are not', () => {
  const found = (text: string) => faultsOf('docs/a.md', text).length
  const headings = '## One `two`, [three](service.md)!\n\n## Same\n\n## Same\n\nUnder\n-----\n\n'
  for (const good of [
    '[a](service.md) ![b](pictures/files-dark.png) [c](../README.md#limits) [d](../docs/) [e](https://a.b/c.md#d)',
    '[a](#one-two-three) [b](#same) [c](#same-1) [d](#under) [e](a.md#same) [f](mailto:a@b.c)',
    '`[a](nowhere.md)` and [brackets] alone',
    '<a id="here"></a>\n\n[a](#here)',
  ])
    expect(found(headings + good), good).toBe(0)
  for (const bad of [
    '[a](nowhere.md)',
    '![a](pictures/nowhere.png)',
    '[a](../README.md#nowhere)',
    '[a](#same-2)',
    '[a](../../elsewhere.md)',
    '[a](/README.md)',
    '[a](../LICENSE#mit)',
    '[a][b]\n\n[b]: nowhere.md',
    '<img src="nowhere.png">',
    'In text <a href="nowhere.md">a</a>.',
    '<picture>\n  <source srcset="nowhere.png">\n</picture>',
    '| a |\n| - |\n| [a](nowhere.md) |',
  ])
    expect(found(headings + bad), bad).toBe(1)
})
