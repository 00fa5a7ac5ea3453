import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { servers } from '../../../contract/areas/servers.ts'
import { loadProfiles } from '../../profiles/load-profiles.ts'
import { parseProfile, wireOf } from './profile.ts'
import { inEnglish } from './profile-faults.ts'

const baseUrl = 'https://example.com/api/v1'
const withOperation = (id: string, override: unknown) =>
  JSON.stringify({ baseUrl, operations: { [id]: override } })

test('a profile is read behind the mark that editors put before it', () => {
  expect(parseProfile('\ufeff{"baseUrl":"https://a.example/api/v1"}').ok).toBe(true)
})

test('overrides method and path, and turns operations off', () => {
  const parsed = parseProfile(
    JSON.stringify({
      baseUrl: `${baseUrl}/`,
      tokenHeader: 'X-Api-Key',
      tokenScheme: '',
      operations: {
        'servers.power': { method: 'PUT', path: '/servers/:serverId/power' },
        'servers.stats': { off: true },
      },
    }),
  )
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  expect(parsed.profile.baseUrl).toBe(baseUrl)
  expect(wireOf(servers.power, parsed.profile)).toEqual({
    kind: 'send',
    method: 'PUT',
    path: '/servers/:serverId/power',
  })
  expect(wireOf(servers.stats, parsed.profile)).toEqual({ kind: 'off' })
  expect(wireOf(servers.list, parsed.profile)).toEqual({ kind: 'send', method: 'GET', path: '/servers' })
  expect(wireOf(servers.list, null)).toEqual({ kind: 'send', method: 'GET', path: '/servers' })
})

test.each([
  ['no JSON', '{', 'not valid JSON'],
  ['not a valid address', '{}', 'baseUrl: '],
  ['a bad address', JSON.stringify({ baseUrl: 'http://example.com/api/v1' }), 'baseUrl: '],
  ['an unknown field', JSON.stringify({ baseUrl, token: 'x' }), 'token'],
  ['an unknown operation', withOperation('servers.fly', { off: true }), 'operations → servers.fly'],
  [
    'two slashes at the start',
    withOperation('servers.list', { path: '//evil.example/x' }),
    'servers.list → path',
  ],
  ['no slash at the start', withOperation('servers.list', { path: 'servers' }), 'servers.list → path'],
  [
    'an address with a host',
    withOperation('servers.list', { path: 'https://evil.example/' }),
    'servers.list → path',
  ],
  ['a way up', withOperation('servers.list', { path: '/../../other' }), 'Leave out “.” and “..”'],
  ['an encoded way up', withOperation('servers.list', { path: '/%2E%2e/other' }), 'Leave out “.” and “..”'],
  ['a half encoded way up', withOperation('servers.list', { path: '/.%2e/other' }), 'Leave out “.” and “..”'],
  ['a backslash', withOperation('servers.list', { path: '/\\evil.example' }), 'backslashes'],
  ['a line break', withOperation('servers.list', { path: '/x\n/y' }), 'white space'],
  ['a query', withOperation('servers.list', { path: '/servers?all=1' }), 'no query'],
  ['a fragment', withOperation('servers.list', { path: '/servers#x' }), 'fragment'],
  ['a lost parameter', withOperation('servers.read', { path: '/server' }), 'no others: :serverId'],
  ['an invented parameter', withOperation('servers.list', { path: '/servers/:serverId' }), 'no parameters'],
  ['an unknown method', withOperation('servers.list', { method: 'TRACE' }), 'servers.list → method'],
  ['a header that means something else', JSON.stringify({ baseUrl, tokenHeader: 'Host' }), 'tokenHeader: '],
  [
    'a list where there is none',
    withOperation('servers.read', { items: 'data' }),
    'servers.read → items: This operation does not answer a list.',
  ],
  ['a value where there is a list', withOperation('servers.list', { envelope: 'data' }), 'a single value'],
  [
    'a field that the answer does not have',
    withOperation('servers.list', { answer: { nme: 'title' } }),
    'answer → nme: The answer of this operation has no field “nme”.',
  ],
  [
    'a field that is not sent',
    withOperation('console.command', { request: { cmd: 'command' } }),
    'request → cmd: This operation sends no field “cmd”.',
  ],
  [
    'two fields at one place',
    withOperation('account.sign-in', { request: { email: 'login', password: 'login.secret' } }),
    '“email” is sent there already',
  ],
  [
    'a place in every object',
    withOperation('servers.list', { answer: { id: '__proto__.id' } }),
    'Every object',
  ],
  ['an endless way', withOperation('servers.list', { items: 'a.b.c.d.e.f.g' }), 'up to six'],
  ['an empty step', withOperation('servers.list', { items: 'a..b' }), 'up to six'],
  [
    'a constant for the header of the token',
    JSON.stringify({ baseUrl, headers: ['Authorization'] }),
    'This is the header of the token.',
  ],
  [
    'a header named twice',
    JSON.stringify({ baseUrl, headers: ['X-A', 'x-a'] }),
    'headers → 1: This header is named twice.',
  ],
  ['a constant for a header of HTTP', JSON.stringify({ baseUrl, headers: ['Host'] }), 'a meaning of its own'],
  [
    'a value of a header',
    JSON.stringify({ baseUrl, headers: { 'X-A': 'secret' } }),
    'headers: A value of another kind',
  ],
  ['far too much', `"${'x'.repeat(300_000)}"`, 'up to 200,000 characters'],
  ['a header with a line break', JSON.stringify({ baseUrl, tokenHeader: 'x\r\ny' }), 'tokenHeader: '],
])('refuses %s and names the field', (_what, text, words) => {
  const parsed = parseProfile(text)
  expect(parsed.ok).toBe(false)
  expect(parsed.ok ? '' : parsed.faults.map(inEnglish).join('\n')).toContain(words)
})

test('tells of everything that is wrong, each at its place and once', () => {
  const parsed = parseProfile(
    JSON.stringify({
      baseUrl,
      tokenHeader: 'Host',
      operations: {
        'servers.list': { path: 'servers', method: 'TRACE', answer: { id: 'a b', name: '' } },
        'servers.read': { nothing: true },
      },
    }),
  )
  expect(parsed.ok ? [] : parsed.faults.map(({ at, said }) => [at.join(' '), said.text?.key])).toEqual([
    ['tokenHeader', 'profile.header-taken'],
    ['operations servers.list method', 'profile.method'],
    ['operations servers.list path', 'profile.path-begin'],
    ['operations servers.list answer id', 'profile.place-space'],
    ['operations servers.list answer name', 'profile.place'],
    ['operations servers.read', 'profile.unknown-field'],
  ])
})

test('one bad file of a folder hinders no other, and is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'profiles-'))
  try {
    await writeFile(join(folder, 'a.json'), JSON.stringify({ baseUrl, tokenHeader: 'X-Key' }))
    await writeFile(join(folder, 'b.json'), '{')
    await writeFile(join(folder, 'c.json'), JSON.stringify({ baseUrl }))
    await writeFile(join(folder, 'readme.txt'), 'not a profile')
    const { byBaseUrl, faults } = await loadProfiles(folder)
    expect(byBaseUrl.get(baseUrl)?.tokenHeader).toBe('X-Key')
    expect(faults).toEqual([
      {
        file: 'b.json',
        at: [],
        said: expect.objectContaining({ text: { key: 'profile.no-json' } }) as unknown,
      },
      {
        file: 'c.json',
        at: [],
        said: expect.objectContaining({
          text: { key: 'profile.twice', values: { address: baseUrl } },
        }) as unknown,
      },
    ])
    expect(await loadProfiles(join(folder, 'missing'))).toEqual({
      byBaseUrl: new Map(),
      fileOf: new Map(),
      faults: [],
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
