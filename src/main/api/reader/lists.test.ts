import { expect, test } from 'vitest'
import { FileEntry } from '../../../contract/areas/values/file-values.ts'
import { Server } from '../../../contract/areas/servers.ts'
import { ListItem } from './list-item.ts'
import { findList } from './lists.ts'
import { pagesInHeaders } from './paging.ts'

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
  ['of another name', { nextPageToken: 'x' }, 'x'],
  ['of another name, as a number', { next_token: 20 }, '20'],
  ['called cursor alone', { cursor: 'x' }, 'x'],
  ['within what is about pages', { pageInfo: { hasNextPage: true, endCursor: 'x' } }, 'x'],
  ['within more of that', { meta: { pagination: { next_cursor: 'x' } } }, 'x'],
  ['that cannot be sent back', { nextCursor: { after: 1 } }, null],
  ['that is zero', { nextCursor: 0 }, null],
  ['a link', { '@odata.nextLink': 'https://a/b' }, null],
  ['a link below others', { _links: { next: { href: '/b' } } }, null],
  ['a number of a page', { nextPage: 2 }, null],
])('a cursor is found where it is %s, and a list with one is not complete', (_how, beside, nextCursor) => {
  expect(findList({ items: two, ...beside }, [])).toMatchObject({ nextCursor, complete: false })
})

test.each<[string, Record<string, unknown>]>([
  ['a flag', { has_next: true }],
  ['a flag in words', { hasMore: 'true' }],
  ['a flag of the last page', { last: false }],
  ['a flag that it was cut, against a cursor', { truncated: true, nextCursor: null }],
  ['a number of pages', { totalPages: 9, currentPage: 1 }],
  ['a number of pages in a text', { total_pages: '9' }],
  ['a count of more', { count: 40, offset: 0, limit: 2 }],
  ['a count of more against a cursor', { total: 6, nextCursor: null }],
  ['a total in a text', { totalItems: '9' }],
  ['a total that is no number', { total: { value: 9 } }],
  ['a total of fewer', { total: 1 }],
  ['a limit that is reached', { limit: 2 }],
  ['a place in the list', { offset: 2 }],
  ['something of pages that nobody knows', { pagingState: 'AAE=' }],
  ['an offset from which to go on', { continueFrom: 2 }],
])('a list is not complete beside %s', (_what, beside) => {
  expect(findList({ items: two, ...beside }, [])?.complete).toBe(false)
})

test('what stands around a list counts where a name has a dot in it, too', () => {
  const value = { 'response.data': { items: two, hasMore: true } }
  expect(findList(value, [])).toMatchObject({ raw: two, complete: false })
})

test('a list that has a total beside it can be completed by the pages before', () => {
  expect(findList({ items: two, total: 6, nextCursor: null }, [])?.total).toBe(6)
  expect(findList({ items: two, total: 6, hasMore: true }, [])?.total).toBeUndefined()
  expect(findList({ items: two, total: 6 }, [], { before: 4 })).toMatchObject({ complete: true })
})

test.each<[string, Record<string, unknown>]>([
  ['things that have nothing to do with pages', { success: true, requestId: 'x', version: 3, message: 'ok' }],
  ['a cursor that is null', { nextCursor: null }],
  ['another cursor that is null', { nextPageToken: null }],
  ['a cursor that is empty, and a total', { next_cursor: '', meta: { page: 1, total: 2 } }],
  ['no next page', { count: 2, next: null, previous: null }],
  ['a flag', { hasMore: false, page: 1 }],
  ['a flag and the cursor of its end', { pageInfo: { hasNextPage: false, endCursor: 'x' } }],
  [
    'a flag of the last page',
    { last: true, number: 0, totalPages: 1, totalElements: 2, pageable: { offset: 0 } },
  ],
  ['one page of one', { page: 1, pages: 1 }],
  ['a count of those that are here', { count: 2 }],
  ['a limit that is not reached', { limit: 200 }],
  ['a link to itself', { links: { self: '/servers' }, _links: { self: { href: '/servers' }, curies: [] } }],
  ['what is empty', { meta: {}, links: [], next: '' }],
])('a list is complete beside %s', (_what, beside) => {
  expect(findList({ items: two, ...beside }, [])).toMatchObject({ complete: true, nextCursor: null })
})

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ link: '<https://a/b?page=2>; rel="next", <https://a/b?page=9>; rel="last"' }, false],
  [{ link: '<https://a/style.css>; rel=preload' }, true],
  [{ 'x-total-count': '9' }, false],
  [{ 'x-total-count': '2' }, true],
  [{ 'x-next-page': '2', 'x-total': '2' }, false],
  [{ 'x-next-page': '', 'x-page': '1' }, true],
  [{ 'content-range': '0-1/9' }, false],
  [{ 'content-range': 'bytes 0-1/9' }, true],
])('a bare list with the headers %j is complete: %s', (headers, complete) => {
  expect(findList(two, [], { headers: pagesInHeaders(headers) })?.complete).toBe(complete)
})

const [a, b] = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
]
const file = { name: 'x.txt', size: 1 }
const folder = { name: 'world' }
const asFile = { ...file, kind: 'file' }
const asFolder = { ...folder, kind: 'folder' }

test.each<[string, unknown, object[] | null, boolean]>([
  ['folders and files', { folders: [folder], files: [file] }, [asFolder, asFile], true],
  ['directories alone beside no files', { directories: [folder], files: [] }, [asFolder], true],
  ['no folders and files', { dirs: [], files: [file] }, [asFile], true],
  ['neither folders nor files', { folders: [], files: [] }, [], true],
  ['both in an envelope', { data: { folders: [folder], files: [file] } }, [asFolder, asFile], true],
  [
    'both as names alone',
    { folders: ['world'], files: ['x.txt'] },
    [asFolder, { name: 'x.txt', kind: 'file' }],
    true,
  ],
  [
    'folders one of which says what it is',
    { folders: [{ name: 'l', kind: 'link' }], files: [] },
    [{ name: 'l', kind: 'link' }],
    true,
  ],
  ['both with a cursor', { folders: [folder], files: [file], nextCursor: 'x' }, [asFolder, asFile], false],
  ['folders alone', { folders: [folder] }, [asFolder], false],
  ['no folders alone', { folders: [] }, null, false],
  ['files alone', { files: [file] }, [file], true],
  ['an empty list beside another', { items: [], entries: [file] }, [], false],
  [
    'an empty list beside another, which is the last page',
    { items: [], entries: [file], nextCursor: null },
    [],
    false,
  ],
  [
    'a list beside another, with the number of all',
    { items: [file], entries: [file], total: 1 },
    [file],
    true,
  ],
  [
    'each in an object of its own',
    { folders: { items: [folder] }, files: { items: [file] } },
    [asFolder, asFile],
    true,
  ],
  [
    'each in an object of its own, where one goes on',
    { folders: { items: [folder], hasMore: true }, files: { items: [file] } },
    [asFolder, asFile],
    false,
  ],
  [
    'each in an object of its own, one of which is empty',
    { folders: { data: [], total: 0 }, files: { data: [file] } },
    [asFile],
    true,
  ],
  ['folders alone in an object of their own', { folders: { items: [folder] } }, [asFolder], false],
  ['a list beside texts', { items: [file], tags: ['a'] }, [file], true],
  ['a list beside warnings', { items: [file], warnings: [file] }, [file], true],
  ['an object of files by their names', { files: { 'x.txt': { size: 1 } } }, [file], true],
])(
  'a folder that is answered as %s is read whole, or told as perhaps not whole',
  (_how, value, raw, complete) => {
    const found = findList(value, ['files'], { item: new ListItem(FileEntry, 'name') })
    expect(found && { raw: found.raw, complete: found.complete }).toEqual(raw && { raw, complete })
  },
)

test.each<[string, unknown, object[] | null, boolean]>([
  ['by their IDs', { servers: { a: { name: 'A' }, b: { name: 'B' } } }, [a, b], true],
  ['by their IDs, which they hold too', { servers: { a, b } }, [a, b], true],
  ['by something else', { servers: { 0: a, 1: b } }, [a, b], true],
  ['by their IDs in an envelope', { data: { servers: { a: { name: 'A' } } } }, [a], true],
  ['by their IDs under a general name', { items: { a: { name: 'A' }, b } }, [a, b], true],
  ['by their IDs, with a total of more', { servers: { a }, total: 2 }, [a], false],
  [
    'by their IDs, with a list in one',
    { servers: { a: { ...a, role: ['x'] }, b } },
    [{ ...a, role: ['x'] }, b],
    true,
  ],
  ['by their IDs but for one', { servers: { a, b: 5 } }, null, false],
  ['by their IDs, one of which has no name', { servers: { a: { ...a, role: ['x'] }, b: {} } }, null, false],
  ['as none by their IDs', { servers: {} }, null, false],
  ['as things of a general name', { data: { owner: a, location: b } }, null, false],
  ['as a thing of a general name without an ID', { data: { owner: { name: 'A' } } }, null, false],
  ['by their IDs and by nothing else', { a, b }, [a, b], true],
  ['by one ID that is held too', { a, b: { name: 'B' } }, [a, b], true],
  [
    'by numbers and by nothing else',
    { 1: { name: 'A' }, 2: { name: 'B' } },
    [
      { name: 'A', id: '1' },
      { name: 'B', id: '2' },
    ],
    true,
  ],
  ['by their IDs beside what says nothing of them', { success: true, code: 0, a }, [a], true],
  ['by their IDs beside pages', { a, b, meta: { total: 3 } }, [a, b], false],
  ['by words', { owner: { name: 'A' }, node: { name: 'B' } }, null, false],
  ['by words, one of which has another ID', { owner: a, node: { name: 'B' } }, null, false],
  ['by numbers that are something else', { 1: a, 2: b }, null, false],
  ['by their IDs beside something that nobody knows', { a, b, count: 2, motd: 'x' }, null, false],
  ['as nothing', {}, null, false],
  ['as no page of them', { _links: { self: { href: '/x' } }, page: { totalElements: 0 } }, [], true],
  ['as none of them', { total: 0 }, [], true],
  ['as none of them, with an error', { total: 0, error: 'Broken.' }, null, false],
  ['as none of them, and something', { total: 0, stuff: { a: 1 } }, null, false],
  ['as one of them, which is missing', { page: { totalElements: 1 } }, null, false],
  [
    'by how they are',
    { online: [a], offline: [b] },
    [
      { ...a, status: 'online' },
      { ...b, status: 'offline' },
    ],
    true,
  ],
])('servers that are answered %s are read, or no list is found', (_how, value, raw, complete) => {
  const found = findList(value, ['servers'], { item: new ListItem(Server, 'id') })
  expect(found && { raw: found.raw, complete: found.complete }).toEqual(raw && { raw, complete })
})
