import { expect, test } from 'vitest'
import { findList } from './lists.ts'
import { linksIn } from './paging.ts'

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
  ['with a total that is all', { items: two, offset: 0, page: 1, total: 2 }, { complete: true }],
  ['in an envelope with a cursor beside', { data: { items: two }, nextCursor: 7 }, { nextCursor: '7' }],
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

test.each<[string, Record<string, unknown>, string | null]>([
  ['a number', { nextCursor: 20 }, '20'],
  ['in other letters', { NextCursor: 'x' }, 'x'],
  ['that cannot be sent back', { nextCursor: { after: 1 } }, null],
  ['that is zero', { nextCursor: 0 }, null],
  ['of another name', { nextPageToken: 'x' }, null],
  ['within what is about pages', { pageInfo: { hasNextPage: true, endCursor: 'x' } }, null],
  ['a link', { '@odata.nextLink': 'https://a/b' }, null],
  ['a link below others', { _links: { next: { href: '/b' } } }, null],
])('a cursor is found where it is %s, and a list with one is not complete', (_how, beside, nextCursor) => {
  expect(findList({ items: two, ...beside }, [])).toMatchObject({ nextCursor, complete: false })
})

test.each<[string, Record<string, unknown>]>([
  ['a flag', { has_next: true }],
  ['a number of pages', { totalPages: 9, currentPage: 1 }],
  ['a count of more', { count: 40, offset: 0, limit: 2 }],
  ['a count of more against a cursor', { total: 6, nextCursor: null }],
  ['a total in a text', { totalItems: '9' }],
  ['a total of fewer', { total: 1, offset: 4 }],
  ['a place in the list', { offset: 2 }],
  ['something about pages that nobody knows', { meta: { page: 1 } }],
  ['links', { links: { self: '/servers' } }],
  ['another list of things', { entries: two }],
])('a list is not complete beside %s', (_what, beside) => {
  expect(findList({ items: two, ...beside }, [])?.complete).toBe(false)
})

test('what stands around an envelope counts too', () => {
  expect(findList({ data: { items: two }, hasMore: true }, [])).toMatchObject({ raw: two, complete: false })
  expect(findList({ data: { items: two, hasMore: true } }, [])).toMatchObject({ raw: two, complete: false })
})

test('a list is looked for in one envelope, and no deeper', () => {
  expect(findList({ data: { result: { items: two } } }, [])).toBeNull()
  expect(findList({ response: { items: two } }, [])).toBeNull()
})

test('a list that has a total beside it can be completed by the pages before', () => {
  expect(findList({ items: two, total: 6, nextCursor: null }, [])?.total).toBe(6)
  expect(findList({ items: two, total: 6, hasMore: true }, [])?.total).toBeUndefined()
  expect(findList({ items: two, total: 6 }, [], { before: 4 })).toMatchObject({ complete: true })
})

test.each<[string, Record<string, unknown>]>([
  ['things that have nothing to do with pages', { success: true, requestId: 'x', version: 3, message: 'ok' }],
  ['a cursor that is null', { nextCursor: null }],
  ['a cursor that is empty, and pages', { next_cursor: '', meta: { page: 1, total: 2 } }],
  ['no next page', { count: 2, next: null, previous: null }],
  ['a count of those that are here', { count: 2 }],
  ['a limit', { limit: 200 }],
  ['what is empty', { meta: {}, links: [], next: '' }],
  ['texts and warnings', { tags: ['a'], warnings: [{ text: 'w' }] }],
])('a list is complete beside %s', (_what, beside) => {
  expect(findList({ items: two, ...beside }, [])).toMatchObject({ complete: true, nextCursor: null })
})

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ link: '<https://a/b?page=2>; rel="next", <https://a/b?page=9>; rel="last"' }, false],
  [{ link: '<https://a/style.css>; rel=preload' }, true],
])('a bare list with the headers %j is complete: %s', (headers, complete) => {
  expect(findList(two, [], { headers: linksIn(headers) })?.complete).toBe(complete)
})
