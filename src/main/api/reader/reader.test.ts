import { describe, expect, test } from 'vitest'
import { Session, User } from '../../../contract/areas/account.ts'
import { Line } from '../../../contract/areas/console.ts'
import { FileEntry, ItemResults } from '../../../contract/areas/values/file-values.ts'
import { operations } from '../../../contract/areas/index.ts'
import { ContainerStats, Server } from '../../../contract/areas/servers.ts'
import { type Drift, Findings } from './drift.ts'
import { readerOf } from './reader.ts'
import { MISFIT } from './leaf-reader.ts'

function read(schema: Parameters<typeof readerOf>[0], raw: unknown) {
  const findings = new Findings()
  const value = readerOf(schema).read(raw, findings)
  return { value, drifts: findings.drifts, misfit: findings.misfit }
}

const server = { id: 's1', name: 'Survival' }

describe('an optional field of another kind is not given, and costs nothing else', () => {
  test.each([
    ['createdAt', [2026], { path: 'createdAt', expected: 'time', found: 'list' }],
    ['createdAt', -5, { path: 'createdAt', expected: 'time', found: 'number' }],
    ['createdAt', 'yesterday', { path: 'createdAt', expected: 'time', found: 'text' }],
    ['software', 7, { path: 'software', expected: 'object', found: 'number' }],
    ['players', 'many', { path: 'players', expected: 'object', found: 'text' }],
    ['players', { online: 'many' }, { path: 'players.online', expected: 'number', found: 'text' }],
    ['address', true, { path: 'address', expected: 'object', found: 'yes-or-no' }],
    ['memoryMb', {}, { path: 'memoryMb', expected: 'number', found: 'object' }],
    ['role', 7, { path: 'role', expected: 'object', found: 'number' }],
    ['group', ['a'], { path: 'group', expected: 'text', found: 'list' }],
    ['status', 3, { path: 'status', expected: 'text', found: 'number' }],
  ] satisfies [string, unknown, Drift][])('%s: %j', (field, raw, drift) => {
    const { value, drifts } = read(Server, { ...server, [field]: raw })
    expect(value).toEqual(server)
    expect(drifts).toContainEqual(drift)
  })
})

describe('a value of another kind that says the same is taken', () => {
  test.each([
    [Server, { ...server, id: 17 }, { ...server, id: '17' }],
    [Server, { ...server, name: 2048 }, { ...server, name: '2048' }],
    [Server, { ...server, memoryMb: '2048' }, { ...server, memoryMb: 2048 }],
    [
      Server,
      { ...server, players: { online: '3', max: '20' } },
      { ...server, players: { online: 3, max: 20 } },
    ],
    [Server, { ...server, status: 'ONLINE' }, { ...server, status: 'online' }],
    [Server, { ...server, status: 'asleep' }, { ...server, status: { kind: 'unknown', raw: 'asleep' } }],
    [Server, { ...server, createdAt: 1_700_000_000 }, { ...server, createdAt: '2023-11-14T22:13:20.000Z' }],
    [
      Server,
      { ...server, createdAt: 1_700_000_000_000 },
      { ...server, createdAt: '2023-11-14T22:13:20.000Z' },
    ],
    [Server, { ...server, createdAt: '1700000000' }, { ...server, createdAt: '2023-11-14T22:13:20.000Z' }],
    [
      Server,
      { ...server, createdAt: '2023-11-14 22:13:20' },
      { ...server, createdAt: '2023-11-14T22:13:20.000Z' },
    ],
    [
      Server,
      { ...server, createdAt: '2023-11-14T22:13:20+0130' },
      { ...server, createdAt: '2023-11-14T20:43:20.000Z' },
    ],
    [
      Server,
      { ...server, createdAt: '2023-11-14T22:13:20' },
      { ...server, createdAt: '2023-11-14T22:13:20.000Z' },
    ],
    [User, { id: 1, emailConfirmed: 1 }, { id: '1', emailConfirmed: true }],
    [User, { id: 'u', emailConfirmed: 'false' }, { id: 'u', emailConfirmed: false }],
    [FileEntry, { name: 'a', kind: 'directory' }, { name: 'a', kind: 'folder' }],
    [FileEntry, { name: 1, kind: 'file', size: '12' }, { name: '1', kind: 'file', size: 12 }],
  ])('%#: $1', (schema, raw, wanted) => {
    expect(read(schema, raw).value).toEqual(wanted)
  })
})

test.each([
  [[2026, 11, 20, 12, 0]],
  [{ seconds: 1_795_176_000 }],
  [{ $date: '2026-11-20T12:00:00Z' }],
  [1e17],
  ['Fri, 20 Nov 2026 12:00:00 GMT'],
  ['2026-11-32T12:00'],
  ['2026-13-01 12:00:00'],
  [''],
])('%j is no time', (createdAt) => {
  expect(read(Server, { ...server, createdAt }).value).toEqual(server)
})

test('a file of which nothing says what it is is one of an unknown kind', () => {
  const kind = { kind: 'unknown', raw: '' }
  expect(read(FileEntry, { name: 'a' }).value).toEqual({ name: 'a', kind })
  expect(read(FileEntry, { name: 'a', isDirectory: true }).value).toEqual({ name: 'a', kind })
})

describe('a field under another name is found', () => {
  test('an exact name goes before another spelling, that before a synonym', () => {
    const raw = { uuid: 'c', ID: 'b', id: 'a', name: 'n' }
    expect(read(Server, raw).value).toMatchObject({ id: 'a' })
    const { id: _exact, ...spelled } = raw
    expect(read(Server, spelled).value).toMatchObject({ id: 'b' })
    const { ID: _spelled, ...synonym } = spelled
    expect(read(Server, synonym)).toMatchObject({
      value: { id: 'c', name: 'n' },
      drifts: [{ path: 'id', expected: 'text', found: 'text', as: 'uuid' }],
    })
  })

  test('a number under another name is told once, with that name', () => {
    expect(read(Server, { _id: 7, name: 'n' })).toEqual({
      value: { id: '7', name: 'n' },
      drifts: [{ path: 'id', expected: 'text', found: 'number', as: '_id' }],
      misfit: null,
    })
  })

  test.each([
    ['created_at', '2026-01-01T00:00:00Z', 'createdAt'],
    ['CreatedAt', '2026-01-01T00:00:00Z', 'createdAt'],
    ['memory_mb', 512, 'memoryMb'],
    ['state', 'online', 'status'],
  ])('%s, though all that is required has its own name', (as, raw, field) => {
    expect(read(Server, { ...server, [as]: raw }).value).toEqual({ ...server, [field]: raw })
  })

  test('within a value and within a list too', () => {
    expect(read(Server, { ...server, software: { ID: 'paper', Version: 1.21 } }).value).toMatchObject({
      software: { id: 'paper', version: '1.21' },
    })
    const results = { results: [{ path: 'a', outcome: 'done', final_path: 'b' }, { path: 'b' }, 7] }
    expect(read(ItemResults, results)).toMatchObject({
      value: { results: [{ path: 'a', outcome: 'done', finalPath: 'b' }] },
      drifts: [
        { path: 'results.[].finalPath', as: 'final_path' },
        { path: 'results.[].outcome', found: 'missing' },
        { path: 'results.[]', found: 'object' },
        { path: 'results.[]', found: 'number' },
      ],
    })
  })

  test('what has a name of its own is never taken for another field', () => {
    const { value } = read(Line, { text: 'said', time: '2026-01-01T00:00:00Z', source: 'e-1' })
    expect(value).not.toHaveProperty('id')
  })

  test('names of every object are names like any others', () => {
    const raw = JSON.parse('{"__proto__": {"id": "x", "name": "n"}, "constructor": 1}') as unknown
    expect(read(Server, raw).value).toBe(MISFIT)
    const { value } = read(Server, JSON.parse('{"id": "a", "name": "n", "__proto__": {"group": "g"}}'))
    expect(value).toEqual({ id: 'a', name: 'n' })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('what is required', () => {
  test.each([
    [{ name: 'n' }, 'id'],
    [{ id: 'a' }, 'name'],
    [{ id: '', name: 'n' }, 'id'],
    [{ id: {}, name: 'n' }, 'id'],
  ])('%j has no value, and the field is named', (raw, path) => {
    expect(read(Server, raw)).toMatchObject({ value: MISFIT, misfit: path })
  })

  test('a token is text that a header can carry, under a listed name alone', () => {
    const user = { id: 'u' }
    expect(read(Session, { accessToken: 'abc', user }).value).toMatchObject({ token: 'abc' })
    for (const raw of [
      { token: 12345, user },
      { token: 'a b', user },
      { token: 'a\r\nb', user },
      { token: '', user },
      { refreshToken: 'abc', user },
      { csrf_token: 'abc', user },
      { reset_token: 'abc', user },
      { token: { token: 'abc' }, user },
      { tokens: { access: 'abc' }, user },
      { access: 'abc', user },
    ])
      expect(read(Session, raw).value).toBe(MISFIT)
  })
})

test('an answer without any field of the schema is told from one that says nothing new', () => {
  const reader = readerOf(ContainerStats)
  expect(reader.knows({ data: { cpuPercent: 1 } })).toBe(0)
  expect(reader.knows({ cpu_percent: 1, x: 2 })).toBe(1)
})

test('the drift report is bounded, and holds no value', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, { secret: `v${at}` }]))
  const { drifts } = read(Server, { ...many, _id: 's', title: 'secret', created_at: 'secret' })
  expect(drifts.length).toBeLessThanOrEqual(50)
  expect(JSON.stringify(drifts)).not.toContain('secret')
})

test('every schema of an answer has a reader that takes what its own parser takes', () => {
  for (const { answer, id } of operations) {
    if (answer.kind !== 'json' && answer.kind !== 'list') continue
    const schema = answer.kind === 'json' ? answer.schema : answer.item
    expect(read(schema, null).value, id).toBe(MISFIT)
    expect(read(schema, []).value, id).toBe(MISFIT)
  }
})
