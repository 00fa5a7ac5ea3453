import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'svelte/compiler'
import { describe, expect, it } from 'vitest'
import { de } from './de.ts'
import { en } from './en.ts'
import { fill, paramNames, type Message } from './message.ts'

const renderer = path.join(import.meta.dirname, '..')
const english: Record<string, Message> = en
const german: Record<string, Message> = de

describe('messages', () => {
  it('has every key in both languages', () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort())
  })

  it('has the same places in both languages', () => {
    for (const [key, message] of Object.entries(english)) {
      expect(paramNames(german[key] ?? ''), key).toEqual(paramNames(message))
    }
  })

  it('leaves no text empty', () => {
    for (const texts of [english, german]) {
      for (const [key, message] of Object.entries(texts)) {
        const forms = typeof message === 'string' ? [message] : [message.one, message.other]
        for (const form of forms) expect(form.trim(), key).not.toBe('')
      }
    }
  })

  it('holds no message that nothing shows', () => {
    const code = sources(/\.(svelte|ts)$/).filter(
      ([file]) => !file.includes(`${path.sep}messages${path.sep}`),
    )
    const all = code.map(([, text]) => text).join('\n')
    // Keys are written whole, or as a beginning that a value completes: t(`status.${kind}`).
    const beginnings = [...all.matchAll(/`([a-z-]+\.[a-z.-]*)\$\{/g)].map((match) => match[1] ?? '')
    const unused = Object.keys(english).filter(
      (key) => !all.includes(`'${key}'`) && !beginnings.some((beginning) => key.startsWith(beginning)),
    )
    expect(unused).toEqual([])
  })
})

describe('filling a message', () => {
  it('puts values into their places', () => {
    expect(fill('{name} on {connection}', { name: 'A', connection: 'B' }, 'en')).toBe('A on B')
  })

  it('writes numbers as the locale does', () => {
    expect(fill('{n}', { n: 12345.5 }, 'de')).toBe('12.345,5')
    expect(fill('{n}', { n: 12345.5 }, 'en')).toBe('12,345.5')
  })

  it('chooses the plural form by the count', () => {
    const message = { one: '{count} player', other: '{count} players' }
    expect([0, 1, 2].map((count) => fill(message, { count }, 'en'))).toEqual([
      '0 players',
      '1 player',
      '2 players',
    ])
  })

  it('does not fill in places that came with a value', () => {
    expect(fill('{a} {b}', { a: '{b}', b: 'x' }, 'en')).toBe('{b} x')
  })
})

describe('components', () => {
  const components = sources(/\.svelte$/)

  it.each(components)('%s holds no literal text', (_, text) => {
    expect(literals(text)).toEqual([])
  })

  it.each(components)('%s holds no raw HTML and no static style', (_, text) => {
    expect(text).not.toMatch(/\{@html/)
    expect(text).not.toMatch(/\sstyle="/)
  })
})

/** All files of the renderer with a fitting name and their text; tests are left out. */
function sources(name: RegExp): [file: string, text: string][] {
  return readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !file.includes('.test.'))
    .map((file) => [file, readFileSync(path.join(renderer, file), 'utf8')])
}

/** Attributes whose value people read or hear. */
const spoken = new Set([
  'aria-label',
  'title',
  'alt',
  'placeholder',
  'label',
  'text',
  'hint',
  'words',
  'suffix',
  'note',
])
const letters = /\p{L}{2,}/u

/** Words in a component's markup that come from no message file. */
function literals(component: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, name, data, value } = node as Record<string, unknown>
    if (type === 'Text' && typeof data === 'string' && letters.test(data)) found.push(data.trim())
    if (type === 'Attribute') {
      if (!spoken.has(String(name))) return
      if (Array.isArray(value)) value.forEach(visit)
      return
    }
    Object.values(node).forEach(visit)
  }
  visit(parse(component, { modern: true }).fragment)
  return found
}
