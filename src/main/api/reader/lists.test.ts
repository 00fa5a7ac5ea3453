import { expect, test } from 'vitest'
import { findList } from './lists.ts'

const two = [{ id: 1 }, { id: 2 }]

test.each([
  ['bare', two, { raw: two, complete: true }],
  ['under items', { items: two, nextCursor: null }, { raw: two, complete: true }],
  ['under data', { data: two }, { raw: two, as: 'data' }],
  ['under results', { results: two }, { raw: two, as: 'results' }],
  ['under its own name', { servers: two, tags: ['a'] }, { raw: two, as: 'servers' }],
  ['under its own name in other letters', { Servers: two }, { raw: two, as: 'Servers' }],
  ['as the only list', { machines: two, errors: [], warnings: ['w'] }, { raw: two, as: 'machines' }],
  ['empty under a known name', { servers: [] }, { raw: [], complete: true }],
  ['in an envelope', { data: { items: two } }, { raw: two, as: 'data.items' }],
  ['in an envelope with its own name', { result: { servers: two } }, { raw: two, as: 'result.servers' }],
  ['with a cursor', { items: two, nextCursor: 'x' }, { nextCursor: 'x', complete: false }],
  ['with a cursor in other letters', { items: two, next_cursor: 'x' }, { nextCursor: 'x', complete: false }],
  ['with pages that nobody knows', { items: two, meta: { page: 1 } }, { nextCursor: null, complete: false }],
  ['with a total that is more', { items: two, total: 9 }, { complete: false }],
  ['with a total that is all', { items: two, meta: { total: 2 } }, { complete: true }],
])('a list is found %s', (_where, value, wanted) => {
  expect(findList(value, ['servers'])).toMatchObject(wanted)
})

test.each([
  ['nothing', null],
  ['a text', 'none'],
  ['no list at all', { count: 0 }],
  ['lists about something else', { errors: ['x'], messages: ['y'], links: [1], warnings: [2] }],
  ['several lists that could be it', { a: two, b: two }],
  ['an empty list under a name that nobody knows', { stuff: [] }],
])('no list is made up from %s', (_what, value) => {
  expect(findList(value, ['servers'])).toBeNull()
})
