import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'svelte/compiler'
import { describe, expect, it } from 'vitest'
import { operations } from '../../contract/areas/index.ts'
import {
  fill,
  isFilled,
  paramNames,
  type Message,
  type Values,
  withParts,
} from '../../contract/messages/message.ts'
import { refusals } from '../../contract/messages/refusals/index.ts'
import { sentences } from '../../contract/messages/sentences.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import * as plain from './plain-words.fixture.ts'

const renderer = path.join(import.meta.dirname, '..')
const source = path.join(renderer, '..')
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

  it('has a sentence for each variant of a write, with both its forms', () => {
    const variants = operations.flatMap(({ id, path: at, scope }) =>
      at.includes('/:serverId') && scope !== null && typeof scope === 'object' && 'by' in scope
        ? Object.keys(scope.needs).map((variant) => `did.${id}.${variant}`)
        : [],
    )
    expect(variants.length).toBeGreaterThan(10)
    expect(variants.filter((key) => !(key in english))).toEqual([])
    for (const texts of [english, german])
      for (const [key, message] of Object.entries(texts))
        if (key.startsWith('did.')) expect(message, key).toMatch(/^[^|]*\p{L}\|\p{L}[^|]*$/u)
  })

  it('leaves no text empty', () => {
    for (const texts of [english, german]) {
      for (const [key, message] of Object.entries(texts)) {
        const forms = typeof message === 'string' ? [message] : [message.one, message.other]
        for (const form of forms) expect(form.trim(), key).not.toBe('')
      }
    }
  })

  it('is put together when it is shown: no state keeps a text of an earlier language', () => {
    const kept = /(?:this\.#?\w+|^\s*[\w.]+) = (?:t|said|ago|bytes|clock|dateTime|duration|number)\(.*$/gm
    const inState = /\$state(?:\.raw)?\((?:t|said|ago|bytes|clock|dateTime|duration|number)\(.*$/gm
    const all = codeOf(renderer)
    expect([...all.matchAll(kept), ...all.matchAll(inState)].map(([line]) => line.trim())).toEqual([])
  })

  it('holds no message that nothing shows', () => {
    const all = codeOf(renderer) + readFileSync(path.join(renderer, 'messages/format.ts'), 'utf8')
    // Keys are written whole, or as a beginning that a value completes: t(`status.${kind}`).
    const beginnings = [...all.matchAll(/`([a-z-]+\.[a-z.-]*)\$\{/g)].map((match) => match[1] ?? '')
    const unused = Object.keys(english).filter(
      (key) =>
        !(key in sentences) &&
        !(key in refusals) &&
        !all.includes(`'${key}'`) &&
        !beginnings.some((beginning) => key.startsWith(beginning)),
    )
    expect(unused).toEqual([])
  })
})

describe('phrases that nobody would say aloud', () => {
  it.each([
    ['English', english, plain.english],
    ['German', german, plain.german],
  ])('are in no %s message', (_, messages, phrases) => {
    for (const [key, message] of Object.entries(messages)) {
      const forms = typeof message === 'string' ? [message] : [message.one, message.other]
      for (const form of forms) expect(insteadOf(form, phrases), `${key}: ${form}`).toEqual([])
    }
  })

  it('are in no sentence that a program or the service says', () => {
    const rooms = ['host', 'contract', 'main', 'service', 'web', 'hosts', 'extensions'].map((room) =>
      codeOf(path.join(source, room)),
    )
    const said = rooms.flatMap((code) => [...code.matchAll(/(['"`])((?:\p{Lu}|\$\{)[^\n]* [^\n]*?\.)\1/gu)])
    expect(said.length).toBeGreaterThan(150)
    const wrong = said.flatMap(([sentence]) =>
      insteadOf(sentence, plain.english).map((better) => `${sentence} Say: ${better}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('what main says', () => {
  const main = ['main', 'web', 'preload'].map((room) => codeOf(path.join(source, room))).join('\n')

  it('holds no sentence that nobody says', () => {
    expect(Object.keys(sentences).filter((key) => !main.includes(`'${key}'`))).toEqual([])
  })

  it('shares no key with another file: one of the two texts would never be shown', async () => {
    const files = readdirSync(path.join(import.meta.dirname, 'en'))
    const parts = await Promise.all(
      files.map((file) => import(`./en/${path.parse(file).name}.ts`) as Promise<Record<string, object>>),
    )
    const all = [sentences, ...parts.flatMap((part) => Object.values(part))].flatMap(Object.keys)
    expect(all.length).toBe(new Set(all).size)
  })

  it('says nothing in words that stand in the code', () => {
    expect(main.match(/\bproblem(Of)?\(\s*'[a-z-]+',\s*(['"`]|\{ message: ['"`])/g)).toBe(null)
  })

  it('is told by preload and page before they are loaded, in the words that stand here', () => {
    const early = ['preload', 'web/client'].map((room) => codeOf(path.join(source, room))).join('\n')
    const told = [...early.matchAll(/message:\s*'(.+)',[^}]*text: \{ key: '(.+)' \}/g)]
    expect(told.map(([, , key]) => key).sort()).toEqual([
      'page.no-answer',
      'page.not-of-here',
      'panel.silent',
    ])
    for (const [, message, key] of told) expect(message, key).toBe(Reflect.get(sentences, key ?? ''))
  })
})

describe('what the built-in service refuses, or says of what failed', () => {
  // What is wrong with a field is said where the contract declares the field.
  const code = ['service', 'contract', 'host', 'hosts', 'extensions']
    .map((room) => codeOf(path.join(source, room)))
    .join('\n')
  const parts = Object.keys(refusals).filter((key) => key.startsWith('refused.part.'))

  it('is said by a sentence that the contract declares, and so in both languages', () => {
    // Only what has its sentence from elsewhere gives one: from a list, from a worker, or from what was sent.
    const plain = [...code.matchAll(/new Refusal\(\s*[^,]+,\s*([^,]+),\s*(['"`]|message\b)/g)]
    expect(plain.map(([, one]) => one)).toEqual([])
  })

  it('has no sentence and no part of one that nobody says', () => {
    const rest = Object.keys(refusals).filter((key) => !key.startsWith('refused.part.'))
    const unsaid = rest.filter((key) => !code.includes(`'${key.slice('refused.'.length)}'`))
    // Some codes have constants of their own, as the panel branches on them; some ids are put together.
    const named = /^refused\.(software\.arguments\.|auth\.second-factor|account\.google-password$)/
    expect(unsaid.filter((key) => !named.test(key))).toEqual([])
    expect(parts.filter((key) => !code.includes(`'${key.slice('refused.part.'.length)}'`))).toEqual([])
  })

  it('is whole sentences', () => {
    for (const [key, message] of Object.entries<Message>(refusals)) {
      // Titles follow a colon.
      if (/^refused\.(part|crash)\./.test(key)) continue
      for (const texts of [message, german[key] ?? ''])
        for (const form of typeof texts === 'string' ? [texts] : [texts.one, texts.other])
          expect(form, key).toMatch(/(\.|:|\{url\}|\{words\})$/)
    }
  })

  it('is said with its parts and figures as the language writes them', () => {
    const values = { reason: 'too-many-files', most: 20_000 }
    const said = (texts: Record<string, Message>, locale: string) => {
      const whole = withParts(texts['refused.modpacks.too-large'] ?? '', values, texts)
      expect(isFilled(whole, values)).toBe(true)
      return fill(whole, values, locale)
    }
    expect(said(english, 'en')).toContain('This modpack is too large: it has more than 20,000 files.')
    expect(said(german, 'de')).toContain('Dieses Modpack ist zu groß: Es nennt mehr als 20.000 Dateien.')
    // Of an age that has other parts, or without what stands in them: then its own words are shown.
    const some: Values[] = [{ reason: 'zz', most: 3 }, { reason: 'too-many-files' }]
    for (const values of some)
      expect(isFilled(withParts(english['refused.modpacks.too-large'] ?? '', values, english), values)).toBe(
        false,
      )
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
  const components = sources(renderer, /\.svelte$/)

  it.each(components)('%s holds no literal text', (_, text) => {
    expect(literals(text)).toEqual([])
  })

  it.each(components)('%s holds no raw HTML and no static style', (_, text) => {
    expect(text).not.toMatch(/\{@html/)
    expect(text).not.toMatch(/\sstyle="/)
  })
})

/** What to say instead of the phrases that a text has. */
function insteadOf(text: string, phrases: plain.Phrases): string[] {
  return phrases.filter(([phrase]) => phrase.test(text)).map(([, instead]) => instead)
}

/** All files of a folder with a fitting name and their text; tests are left out. */
function sources(folder: string, name: RegExp): [file: string, text: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !/\.(test|fixture)\./.test(file))
    .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')])
}

/** The code of a folder that may name messages. */
function codeOf(folder: string): string {
  return sources(folder, /\.(svelte|ts)$/)
    .filter(([file]) => !file.startsWith(`messages${path.sep}`))
    .map(([, text]) => text)
    .join('\n')
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
