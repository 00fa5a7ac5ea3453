import { describe, expect, test } from 'vitest'
import { api } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import { readValue } from './answers/read-answer.ts'

// Answers as frameworks and panels write them, by somebody who has read the specification alone. None of these names and
// shapes stands in a table of the reader's beside the general rules.

const read = (op: Operation, body: unknown) =>
  readValue(op, JSON.stringify(body), { contentType: 'application/json' })
const { servers, files, console: consoles, software, account } = api
const one = { id: '1', name: 'Survival' }
const online = { ...one, status: 'online' }

describe('a list of servers is read as it is written', () => {
  test.each<[string, unknown]>([
    [
      'by JSON:API',
      { data: [{ type: 'servers', id: '1', attributes: { name: 'Survival', status: 'online' } }] },
    ],
    [
      'by a panel that names its objects',
      {
        object: 'list',
        data: [
          {
            object: 'server',
            attributes: { identifier: '1', name: 'Survival', status: 'online', limits: {} },
          },
        ],
        meta: {
          pagination: { total: 1, count: 1, per_page: 25, current_page: 1, total_pages: 1, links: {} },
        },
      },
    ],
    [
      'by HAL',
      {
        _embedded: { serverDtoList: [{ ...online, _links: { self: { href: '/servers/1' } } }] },
        page: { size: 20, totalElements: 1, totalPages: 1, number: 0 },
      },
    ],
    [
      'by Spring',
      { content: [online], pageable: { offset: 0, sort: [] }, last: true, totalPages: 1, empty: false },
    ],
    [
      'by Laravel',
      {
        data: [{ id: 1, name: 'Survival', status: 'online', created_at: '2026-11-20T12:00:00.000000Z' }],
        links: { first: 'x', last: 'x', prev: null, next: null },
        meta: {
          current_page: 1,
          from: 1,
          last_page: 1,
          links: [{ url: null, active: false }],
          per_page: 15,
          to: 1,
          total: 1,
        },
      },
    ],
    [
      'by Django',
      { count: 1, next: null, previous: null, results: [{ pk: 1, name: 'Survival', status: 'online' }] },
    ],
    ['by FastAPI', { items: [online], total: 1, page: 1, size: 50, pages: 1 }],
    ['by .NET', { Items: [{ Id: 1, Name: 'Survival', Status: 'Online' }], TotalCount: 1 }],
    [
      'by GraphQL',
      {
        data: {
          servers: {
            edges: [{ node: online, cursor: 'x' }],
            pageInfo: { hasNextPage: false, endCursor: 'x' },
          },
        },
      },
    ],
    ['by MongoDB', [{ _id: { $oid: '1' }, name: 'Survival', status: 'online' }]],
    ['with its name before each field', [{ server_id: 1, server_name: 'Survival', server_status: 'online' }]],
    [
      'with its name before each field, without underscores',
      [{ serverId: 1, serverName: 'Survival', serverStatus: 'online' }],
    ],
    ['with each server under its name', { servers: [{ server: online }] }],
    ['within what it is the answer to', { response: { servers: [online] }, code: 0 }],
    ['with a status that has parts', [{ ...one, status: { state: 'ONLINE', since: 5 } }]],
    ['with a flag for its status', [{ ...one, online: true }]],
    ['with another flag for its status', [{ ...one, is_online: true }]],
  ])('%s', (_style, body) => {
    expect(read(servers.list, body)).toMatchObject({
      value: { items: [online], leftOut: [], complete: true },
    })
  })

  test.each<[string, unknown]>([
    ['of .NET', { Items: [], TotalCount: 0 }],
    ['of GraphQL', { data: { servers: { edges: [], pageInfo: { hasNextPage: false } } } }],
    ['of Spring', { content: [], last: true, totalPages: 0 }],
    ['in its own name', { servers: { data: [] } }],
  ])('an empty one %s is empty', (_style, body) => {
    expect(read(servers.list, body)).toMatchObject({ value: { items: [], complete: true } })
  })
})

describe('what belongs to something else is never taken for a server', () => {
  test.each<[string, unknown]>([
    ['its owner', { uid: 'x', owner: { id: 9, name: 'Bob' } }],
    ['where it runs', { uid: 'x', label: 'A', node: { id: 3, name: 'node-1' } }],
    ['the envelope', { id: 'req-9', name: 'reply', response: { players: {} } }],
    ['an envelope without an id inside', { id: 'req-9', response: { name: 'A' } }],
  ])('%s', (_what, body) => {
    const { value } = read(servers.list, [body]) as { value: { items: unknown[] } }
    const got = [...value.items, read(servers.read, body).value].filter((found) => found !== undefined)
    for (const found of got) expect(found).not.toMatchObject({ name: expect.stringMatching(/Bob|node-1/) })
    expect(read(servers.read, body).value ?? {}).not.toMatchObject({ id: 'req-9', name: 'A' })
  })
})

describe('one value is read as it is written', () => {
  test.each<[string, Operation, unknown, unknown]>([
    [
      'a server by JSON:API',
      servers.read,
      { data: { type: 'servers', id: '1', attributes: { name: 'Survival' } } },
      one,
    ],
    ['a server under its own name', servers.read, { server: one }, one],
    ['a server under an unknown name', servers.read, { response: one, ok: true }, one],
    ['a server within two names', servers.read, { data: { server: one } }, one],
    ['a server as the only one of a list', servers.read, { data: [one] }, one],
    ['a status under the server', servers.status, { server: { status: 'online' } }, { status: 'online' }],
    [
      'a status in a status',
      servers.status,
      { status: { status: 'online', since: 1 } },
      { status: 'online' },
    ],
    ['a status as a flag', servers.status, { online: false }, { status: 'offline' }],
    ['a status of now', servers.status, { current_state: 'online' }, { status: 'online' }],
    ['a configuration', servers.readConfig, { data: { server_name: 'Survival' } }, { name: 'Survival' }],
    ['an account under its name', account.me, { user: { id: 1, username: 'Ann' } }, { id: '1', name: 'Ann' }],
    [
      'an account by JSON:API',
      account.me,
      { data: { type: 'users', id: '9', attributes: { name: 'Ann', email: 'a@b' } } },
      { id: '9', name: 'Ann', email: 'a@b' },
    ],
    [
      'a session',
      account.signIn,
      { jwt: 'abc', user: { data: { id: 1 } } },
      { token: 'abc', user: { id: '1' } },
    ],
  ])('%s', (_what, op, body, value) => {
    expect(read(op, body)).toMatchObject({ fit: { kind: 'fits' }, value })
  })

  test.each<[string, Operation, unknown]>([
    ['a name is no answer that is a text', servers.readConfig, 'OK'],
    ['a status neither', servers.status, 'OK'],
    ['a flag without a name is no status', servers.status, { '': false }],
    ['a token has to be where the contract has it', account.signIn, { session: { token: 'abc' } }],
    ['a token for something else is none', account.signIn, { user: { id: 1 }, csrf: { token: 'abc' } }],
  ])('%s', (_what, op, body) => {
    expect(read(op, body).fit.kind).not.toBe('fits')
  })
})

describe('other lists are read as they are written', () => {
  const unknown = { kind: 'unknown', raw: '' }
  test.each<[string, Operation, unknown, unknown[]]>([
    ['lines as texts', consoles.history, { lines: ['a', 'b'] }, [{ text: 'a' }, { text: 'b' }]],
    ['lines of a log', consoles.history, { logs: [{ log: 'a' }] }, [{ text: 'a' }]],
    [
      'files with a flag for folders',
      files.list,
      {
        files: [
          { name: 'world', isDirectory: true },
          { name: 'a', isDirectory: false, size: 3 },
        ],
      },
      [
        { name: 'world', kind: 'folder' },
        { name: 'a', kind: 'file', size: 3 },
      ],
    ],
    [
      'files with a flag for files',
      files.list,
      { object: 'list', data: [{ object: 'file_object', attributes: { name: 'logs', is_file: false } }] },
      [{ name: 'logs', kind: 'folder' }],
    ],
    [
      'files of which nothing says what they are',
      files.list,
      [{ name: 'a' }],
      [{ name: 'a', kind: unknown }],
    ],
    ['files as texts', files.list, { files: ['a'] }, [{ name: 'a', kind: unknown }]],
    [
      'files with their name before each field',
      files.list,
      [{ file_name: 'a', file_type: 'file' }],
      [{ name: 'a', kind: 'file' }],
    ],
    [
      'software by its name',
      software.list,
      [{ software_id: 'paper', software_name: 'Paper' }],
      [{ id: 'paper', name: 'Paper' }],
    ],
    [
      'software by a slug',
      software.list,
      [{ slug: 'paper', label: 'Paper' }],
      [{ id: 'paper', name: 'Paper' }],
    ],
    [
      'versions as texts',
      software.versions,
      { versions: ['1.21', '1.20'] },
      [{ id: '1.21' }, { id: '1.20' }],
    ],
    [
      'versions by JSON:API',
      software.versions,
      { data: [{ type: 'versions', id: '1.21' }] },
      [{ id: '1.21' }],
    ],
  ])('%s', (_what, op, body, items) => {
    expect(read(op, body)).toMatchObject({ value: { items, leftOut: [] } })
  })
})

test.each<{ createdAt: unknown }>(
  [
    '2026-11-20 12:00:00',
    '2026-11-20 12:00:00 UTC',
    'Fri, 20 Nov 2026 12:00:00 GMT',
    'Fri, 20 Nov 2026 13:00:00 +0100',
    1_795_176_000,
    1_795_176_000_000,
    1_795_176_000_000_000,
    1_795_176_000_000_000_000,
    '1795176000000000000',
    { $date: '2026-11-20T12:00:00Z' },
    { $date: { $numberLong: '1795176000000' } },
    [2026, 11, 20, 12, 0],
    [2026, 11, 20, 12, 0, 0],
    [2026, 11, 20, 12, 0, 0, 500_000],
    { seconds: 1_795_176_000 },
    { seconds: '1795176000', nanos: 0 },
    { _seconds: 1_795_176_000, _nanoseconds: 999_999 },
    { epochSecond: 1_795_176_000, nano: 0 },
  ].map((createdAt) => ({ createdAt })),
)('$createdAt is noon of that day', ({ createdAt }) => {
  const { value } = read(servers.read, { ...one, createdAt }) as { value: { createdAt: string } }
  expect(new Date(value.createdAt).getTime()).toBe(Date.UTC(2026, 10, 20, 12))
})

test.each<{ createdAt: unknown }>(
  [
    [2026],
    [2026, 11, 20],
    [2026, 6, 31, 12, 0],
    [2026, 11, 20, 24, 0],
    [2026, 0, 20, 12, 0],
    [2026, 11, 20, 12, 0, 0, -1],
    [2026, 11, 20, 12, 0, 0, 0, 0],
    [2026, 11, 20, 12, 0.5],
    [1e300, 11, 20, 12, 0],
    [20261120, 1, 1, 1, 1],
    ['2026', '11', '20', '12', '0'],
    { seconds: 90 * 1e12 },
    { seconds: -5 },
    { seconds: 5.5 },
    { seconds: 1_795_176_000, nanos: 1e9 },
    { seconds: 1_795_176_000, minutes: 2 },
    { nanos: 5 },
    {},
    [],
  ].map((createdAt) => ({ createdAt })),
)('$createdAt is no time', ({ createdAt }) => {
  expect(read(servers.read, { ...one, createdAt }).value).toEqual(one)
})
