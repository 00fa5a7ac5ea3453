import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../../contract/areas/index.ts'
import type { Page } from '../../../contract/declarations/operation.ts'
import { readValue } from './read-answer.ts'
import { itemsMost, LEFT_OUT_MOST, type ListLimits, ListReader, WHILE_IT_COMES } from './read-list.ts'

const Item = z.object({ name: z.string().min(1), size: z.number().nullish() })

const LIST = { kind: 'list', item: Item, by: null } as const

/** As many as anybody has, all of which may be odd. */
const MOST = 10_000
const ANY = { items: MOST, odd: Infinity, text: Infinity }

/** Reads a text that comes in parts of so many bytes. */
function read(text: string, part: number, limits: ListLimits = { ...WHILE_IT_COMES, items: MOST }) {
  const reader = new ListReader(LIST, limits)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += part) reader.take(bytes.subarray(at, at + part))
  return reader.end()
}

const many = (name: (at: number) => string) =>
  Array.from({ length: 8000 }, (_, at) => ({ name: name(at), size: at }))

test('a list that comes in parts is read whole and in order, whatever is in its names', () => {
  // Each of these names holds what stands between two items, as text.
  const items = many((at) => `${at} },{ "],[{\\" ünïcödé 😀`)
  for (const part of [1000, 4093, 65_536, 10_000_000])
    expect(read(JSON.stringify({ items, nextCursor: 'more' }), part)).toEqual({
      items,
      nextCursor: 'more',
      leftOut: [],
      complete: false,
    })
})

test('items that do not fit are left out, and their place in the whole list is told', () => {
  const items: { name: unknown }[] = many((at) => `file ${at}`)
  items[1] = { name: [7] }
  items[7000] = { name: '' }
  const page = read(JSON.stringify({ items, nextCursor: null }), 5000)
  expect(page?.items).toHaveLength(7998)
  expect(page?.nextCursor).toBeNull()
  expect(page?.leftOut).toEqual([
    { index: 1, path: 'items.1.name' },
    { index: 7000, path: 'items.7000.name' },
  ])
})

test('unreadable sources of a list are reported, wherever the field is', () => {
  const items = many((at) => `file ${at}`)
  const names = (text: string) => {
    const reader = new ListReader({ ...LIST, parts: ['ops', 'bans'] }, ANY)
    reader.take(Buffer.from(text))
    return reader.end()?.unreadable
  }
  expect(names(JSON.stringify({ items, unreadable: ['bans', 7, null, 'else'] }))).toEqual(['bans'])
  expect(names(JSON.stringify({ items, unreadable: [] }))).toBe(undefined)
  const before = JSON.stringify({ unreadable: ['ops'], items: [] })
  expect(readValue(api.players.list, before, { contentType: null }).value).toMatchObject({
    items: [],
    complete: true,
  })
  expect(readValue(api.players.list, before, { contentType: null }).value).toMatchObject({
    unreadable: ['ops'],
  })
})

test('a list within an item is not taken for the list', () => {
  const items = many((at) => `file ${at}`).map((item) => ({ ...item, more: [{ a: 1 }, { a: 2 }] }))
  const page = read(JSON.stringify({ items, other: [{ b: 1 }, { b: 2 }], nextCursor: null }), 3000)
  expect(page?.items).toEqual(many((at) => `file ${at}`))
})

test('what it cannot take apart is left to be read as a whole', () => {
  const items = many((at) => `file ${at}`)
  const whole = JSON.stringify({ items, nextCursor: null })
  for (const text of [
    JSON.stringify(items),
    JSON.stringify({ nextCursor: null, items }),
    whole.slice(0, -1),
    `${whole}}`,
    '',
    '<html>',
    '{"items":[',
  ])
    expect(read(text, 3000), text.slice(0, 40)).toBeNull()
})

test('a list that was written with spaces and lines is read too', () => {
  const items = many((at) => `file ${at}`)
  const text = JSON.stringify({ items, nextCursor: null }, null, 2)
  expect(read(text, 3000, ANY)?.items).toEqual(items)
})

test.each([
  ['that cannot be read', '0', 0, LEFT_OUT_MOST],
  ['that can', '{"name":"a"}', MOST, 0],
])(
  'a list of more items %s than anybody has is read in part, and never called whole',
  (_which, item, items, leftOut) => {
    const all = `${`${item},`.repeat(MOST)}${item}`
    const wanted = { complete: false, nextCursor: null }
    const reader = new ListReader(LIST, ANY)
    reader.take(Buffer.from(`{"items":[${all}],"nextCursor":"x"}`))
    const page = reader.end()
    expect([page?.items.length, page?.leftOut.length]).toEqual([items, leftOut])
    expect(page).toMatchObject(wanted)

    const { value } = readValue(api.software.list, `[${all.replaceAll('"name"', '"id":"a","name"')}]`, {
      contentType: null,
    })
    const whole = value as Page<unknown>
    expect([whole.items.length, whole.leftOut.length]).toEqual([items, leftOut])
    expect(whole).toMatchObject(wanted)
  },
)

test.each([
  ['more odd items', '{"name":7}', WHILE_IT_COMES.odd + 1],
  ['a longer item', `{"name":"${'},{'.repeat(WHILE_IT_COMES.text)}"}`, 1],
])('a list with %s than are read while it comes is left to be read as a whole', (_which, item, times) => {
  const text = JSON.stringify({ items: many((at) => `${at}`).slice(0, 100), nextCursor: null }).replace(
    '[',
    `[${`${item},`.repeat(times)}`,
  )
  expect(read(text, 65_536)).toBeNull()
  expect(read(text, 65_536, ANY)?.items).toHaveLength(100 + times)
})

test('a service that sends more items than it was asked for is read as far as four times what may be asked for', () => {
  expect(itemsMost(api.servers.list)).toBe(10_000)
  expect(itemsMost(api.software.list)).toBe(10_000)
  expect(itemsMost(api.files.list)).toBe(200_000)
})
