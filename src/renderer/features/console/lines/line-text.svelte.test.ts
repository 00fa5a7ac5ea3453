import { describe, expect, it, onTestFinished } from 'vitest'
import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { useLanguage } from '../../../messages/t.svelte.ts'
import { LineList } from './line-list.ts'
import { lineText, plainText, terminalText, type LineStyle } from './line-text.ts'
import { rowsOf } from './rows.ts'
import { palettes } from '../terminal/terminal-theme.ts'

const plain: LineStyle = { clock: null, gap: (from, to) => `missing ${from} ${to}` }
const piece = (texts: string[], more: object = {}): ConsolePiece => ({
  kind: 'lines',
  batch: { epoch: '1', firstSeq: 1, times: texts.map(() => 5000), texts, sources: {}, ...more },
})

describe('text for the terminal', () => {
  it('begins every line with a line end, but the first in an empty terminal', () => {
    expect(terminalText([piece(['a', 'b'])], plain, false)).toBe('\na\nb')
    expect(terminalText([piece(['a', 'b'])], plain, true)).toBe('a\nb')
  })

  it('puts the time before each line and asks for it once a second', () => {
    let asked = 0
    const clock = (time: number) => `${++asked}:${time}`
    const text = terminalText(
      [piece(['a', 'b', 'c'], { times: [5000, 5999, 6000] })],
      { ...plain, clock },
      true,
    )
    // eslint-disable-next-line no-control-regex
    expect(text.replace(/\u001b\[\d+m/g, '')).toBe('1:5000 a\n1:5000 b\n2:6000 c')
  })

  it('puts no second time before a line that has its own', () => {
    const own = [
      '[05:57:23 INFO]: Done',
      '[05:57:23] [Server thread/INFO]: Done',
      '[29Nov2026 05:57:23.123] [main/INFO] [x]: Done',
      '2013-01-01 05:57:23 [INFO] Done',
      '\u001b[32m[05:57:23 INFO]: Done',
    ]
    const text = terminalText([piece(own)], { ...plain, clock: () => 'TIME' }, true)
    expect(text).not.toContain('TIME')
    expect(text.split('\n')).toHaveLength(5)
  })

  it.each([
    ['[12:00:00] [Server thread/WARN]: slow', '33'],
    ['[12:00:00 WARN]: slow', '33'],
    ['2013-01-01 12:00:00 [SEVERE] broken', '31'],
    ['[12:00:00] [Server thread/ERROR]: broken', '31'],
    ['[12:00:00] [Server thread/INFO]: <Ann> an ERROR', null],
  ])('colors a line by its level: %s', (text, color) => {
    expect(lineText(text, undefined)).toBe(color ? `\u001b[${color}m${text}\u001b[0m` : text)
  })

  it('shows a gap as a line of its own', () => {
    expect(terminalText([{ kind: 'gap', from: '1-1', to: '1-9' }], plain, false)).toContain(
      '\n\u001b[33mmissing 1-1 1-9',
    )
  })

  it('makes Minecraft color codes colors, which end with the line', () => {
    expect(lineText('\u00a7aYes \u00a7lbold\u00a7r no', undefined)).toBe(
      '\u001b[0;92mYes \u001b[1mbold\u001b[0m no\u001b[0m',
    )
    expect(lineText('\u00a7x\u00a7f\u00a7f\u00a70\u00a70\u00a78\u00a70hex', undefined)).toBe(
      '\u001b[0;38;2;255;0;128mhex\u001b[0m',
    )
    expect(lineText('paragraph \u00a7 5', undefined)).toContain('paragraph \u00a7 5')
  })

  it('keeps colors that the server writes, and nothing else that steers a terminal', () => {
    const hostile =
      '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b[2J\u001b[H\u001bc\u001b[6n\u001b[8mhidden\u0007\r\u009b5nend\u202e'
    expect(plainText(hostile, undefined)).toBe('red hidden5nend')
    // eslint-disable-next-line no-control-regex
    const left = lineText(hostile, undefined).match(/\u001b.{0,4}/g)
    expect(left).toEqual(['\u001b[31m', '\u001b[0m ', '\u001b[0m'])
  })

  it('keeps one line one line', () => {
    expect(terminalText([piece(['a\nb', 'c\u2028d'])], plain, true).split('\n')).toHaveLength(2)
  })

  it('shows where a line came from', () => {
    expect(plainText('say hi', 'command')).toBe('> say hi')
    expect(plainText('> say hi', 'command')).toBe('> say hi')
    expect(lineText('oh', 'error')).toContain('\u001b[31m')
  })

  it('never takes fewer rows into account than a line needs', () => {
    const texts = ['', 'x'.repeat(79), 'x'.repeat(160), '漢'.repeat(80)]
    const rows = rowsOf([piece(texts)], texts.length, 80, plain)
    expect(rows[0]).toBe(1)
    expect(rows[2]).toBeGreaterThanOrEqual(2)
    expect(rows[3]).toBeGreaterThanOrEqual(3)
  })
})

describe('a line of the service’s own', () => {
  const why = { key: 'refused.crash.port', values: { port: '25565' } }
  const crashed = { key: 'refused.console.crashed-because', values: { how: 'exit-code', code: '1' } }
  const shown = (sources: object) =>
    plainText(terminalText([piece(['Crashed!'], { sources })], plain, true), undefined)

  it('is in the person’s language', async () => {
    onTestFinished(() => useLanguage('en'))
    await useLanguage('de')
    expect(shown({ 0: [crashed, why] })).toBe(
      'Der Server ist abgestürzt (Code 1): Port 25565 ist schon belegt',
    )
  })

  it.each([
    ['no sentences', 'service'],
    ['a sentence the panel does not know', [crashed, { key: 'refused.console.of-tomorrow' }]],
    ['a value missing', [{ key: 'refused.console.crashed-because', values: { how: 'exit-code' } }]],
  ])('is as the service says it: %s', async (_why, source) => {
    onTestFinished(() => useLanguage('en'))
    await useLanguage('de')
    expect(shown({ 0: source })).toBe('Crashed!')
  })
})

describe('a line that is damaged on this computer', () => {
  const damaged = [piece(['', 'b'], { sources: { 0: 'unreadable' } })]

  it.each([
    ['en', 'This line can’t be shown: the copy on this computer is damaged.'],
    ['de', 'Diese Zeile kann nicht angezeigt werden: Die Kopie auf diesem Computer ist beschädigt.'],
  ] as const)('says so in the person’s language: %s', async (language, words) => {
    onTestFinished(() => useLanguage('en'))
    await useLanguage(language)
    expect(terminalText(damaged, plain, true)).toBe(`\u001b[3;90m${words}\u001b[0m\nb`)
    const list = new LineList()
    list.append(damaged)
    expect(list.tail(2)).toMatchObject([{ text: words }, { text: 'b' }])
  })

  it('is given the rows that its words take', () => {
    const [rows] = rowsOf(damaged, 2, 20, plain)
    expect(rows).toBeGreaterThanOrEqual(4)
  })
})

describe('the palettes', () => {
  const grounds = { light: '#fafbfa', dark: '#0e100f' }
  const luminance = (hex: string): number => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  for (const kind of ['light', 'dark'] as const)
    it.each(Object.entries(palettes[kind]))(`can be read on the ${kind} ground: %s`, (_name, color) => {
      const [low, high] = [luminance(color), luminance(grounds[kind])].sort((a, b) => a - b) as [
        number,
        number,
      ]
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(4.5)
    })
})
