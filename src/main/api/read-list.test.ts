import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../contract/areas/index.ts'
import type { Page } from '../../contract/areas/operation.ts'
import { readValue } from './read-answer.ts'
import { ITEMS_MOST, LEFT_OUT_MOST, ListReader } from './read-list.ts'

const Item = z.object({ name: z.string().min(1), size: z.number().nullish() })

/** Reads a text that comes in parts of so many bytes. */
function read(text: string, part: number) {
  const reader = new ListReader(Item)
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
    const reader = new ListReader(Item, ['ops', 'bans'])
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
  expect(read(JSON.stringify({ items, nextCursor: null }, null, 2), 3000)?.items).toEqual(items)
})

test.each([
  ['that cannot be read', '0', 0, LEFT_OUT_MOST],
  ['that can', '{"name":"a"}', ITEMS_MOST, 0],
])(
  'a list of more items %s than anybody has is read in part, and never called whole',
  (_which, item, items, leftOut) => {
    const all = `${`${item},`.repeat(ITEMS_MOST)}${item}`
    const wanted = { complete: false, nextCursor: null }
    const reader = new ListReader(Item)
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
