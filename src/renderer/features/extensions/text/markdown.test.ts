import { expect, it } from 'vitest'
import { MARKDOWN_MOST, readMarkdown } from './markdown.ts'

const text = (text: string) => ({ kind: 'text', text })

it('reads headings, lists, quotes, code and tables', () => {
  const read = readMarkdown(
    '# Vault\n\nMade by *us* and **you**.\nNext `line`.\n\n- one\n- two\n\n1. first\n\n> said\n> again\n\n```java\nint x;\n```\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  )
  expect(read).toEqual([
    { kind: 'heading', level: 1, parts: [text('Vault')] },
    {
      kind: 'paragraph',
      parts: [
        text('Made by '),
        { kind: 'emphasis', parts: [text('us')] },
        text(' and '),
        { kind: 'strong', parts: [text('you')] },
        text('. Next '),
        { kind: 'code', text: 'line' },
        text('.'),
      ],
    },
    {
      ...{ kind: 'list', ordered: false },
      items: [[{ kind: 'paragraph', parts: [text('one')] }], [{ kind: 'paragraph', parts: [text('two')] }]],
    },
    { kind: 'list', ordered: true, items: [[{ kind: 'paragraph', parts: [text('first')] }]] },
    { kind: 'quote', blocks: [{ kind: 'paragraph', parts: [text('said '), text(' again')] }] },
    { kind: 'code', text: 'int x;' },
    { kind: 'rule' },
    {
      kind: 'table',
      rows: [
        [[text('a')], [text('b')]],
        [[text('1')], [text('2')]],
      ],
    },
  ])
})

it('keeps only addresses that a browser opens safely, and of pictures only their words', () => {
  const [first] = readMarkdown(
    '[good](https://a.example/x) [bad](javascript:alert) [plain](http://a.example) ![shown](https://a.example/p.png) [![badge](https://b.example/b.svg)](https://c.example)',
  )
  expect(first).toMatchObject({
    parts: [
      { kind: 'link', url: 'https://a.example/x', parts: [text('good')] },
      text(' '),
      { kind: 'emphasis', parts: [text('bad')] },
      text(' '),
      { kind: 'emphasis', parts: [text('plain')] },
      text(' '),
      { kind: 'emphasis', parts: [text('shown')] },
      text(' '),
      { kind: 'link', url: 'https://c.example', parts: [{ kind: 'emphasis', parts: [text('badge')] }] },
    ],
  })
})

it('leaves nothing of HTML but its words', () => {
  const read = readMarkdown(
    '<center onclick="x">\nHello <b>you</b>\n</center>\n\nA <script>b</script> &lt;c&gt; d<br>e',
  )
  expect(read).toEqual([
    { kind: 'paragraph', parts: [text('Hello  you')] },
    {
      kind: 'paragraph',
      parts: [
        text('A '),
        text('b'),
        text(' '),
        text('<'),
        text('c'),
        text('>'),
        text(' d'),
        { kind: 'break' },
        text('e'),
      ],
    },
  ])
})

it.each([
  '> '.repeat(20_000),
  '['.repeat(40_000),
  '*a _b '.repeat(10_000),
  '- '.repeat(20_000),
  '<'.repeat(40_000),
  '![a]('.repeat(9000),
])('ends soon and no deeper than is drawn, whatever is written: %#', (hostile) => {
  const depth = (value: unknown): number =>
    value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
  const read = readMarkdown(`${hostile} end`)
  expect(depth(read)).toBeLessThan(80)
  expect(JSON.stringify(read).length).toBeLessThan(MARKDOWN_MOST * 60)
})
