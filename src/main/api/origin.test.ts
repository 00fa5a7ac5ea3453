import { afterAll, describe, expect, test } from 'vitest'
import { files } from '../../contract/areas/files.ts'
import { servers } from '../../contract/areas/servers.ts'
import { consoleOperations } from '../../contract/areas/console.ts'
import { ApiClient } from './client.ts'
import { PanelProblem } from '../base/problem.ts'
import { type ApiProfile, parseProfile } from './profile/profile.ts'
import { listen, type Listener, reply } from './test-listener.ts'
import { makeDispatcher } from './requests/transport.ts'

// Specification §5.3: the bearer token is sent only to the configured API origin and to no other origin.

const TOKEN = 'token-that-must-not-leave'
const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

/** Listeners elsewhere: another port, another host name of this computer, another address of it. */
const elsewhere = [
  ['another port', { host: '127.0.0.1' }],
  ['another host name on another port', { host: '127.0.0.1', name: 'localhost' }],
  ['another address', { host: '127.0.0.2' }],
] as const

const headers: [string, object][] = [
  ['the usual header', {}],
  ['a renamed header', { tokenHeader: 'X-Api-Key' }],
  ['a renamed header without a scheme', { tokenHeader: 'X-Api-Key', tokenScheme: '' }],
]

function clientOf(at: Listener, more: object): ApiClient {
  const parsed = parseProfile(JSON.stringify({ baseUrl: at.baseUrl, ...more }))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  const profile: ApiProfile = parsed.profile
  const client = new ApiClient({
    baseUrl: at.baseUrl,
    dispatcher,
    profile: () => profile,
    token: async () => TOKEN,
  })
  client.trust()
  return client
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'answered',
    (fault: unknown) => (fault instanceof PanelProblem ? fault.problem.code : String(fault)),
  )
}

describe.each(headers)('in %s', (_header, profile) => {
  describe.each(elsewhere)('a redirect to %s', (_where, options) => {
    test.each([301, 302, 303, 307, 308])(
      'by %i is not followed, and nothing arrives there',
      async (status) => {
        await using other = await listen((_request, response) => reply(response, 200, { items: [] }), options)
        await using home = await listen((_request, response) =>
          reply(response, status, undefined, { location: `${other.baseUrl}/servers` }),
        )
        const client = clientOf(home, profile)
        expect(await codeOf(client.send(servers.list, {}))).toBe('incompatible')
        const power = { params: { serverId: 's' }, body: { action: 'start' as const } }
        expect(await codeOf(client.send(servers.power, power))).toBe('incompatible')
        const file = { params: { serverId: 's' }, query: { path: 'a' } }
        expect(await codeOf(client.open(files.read, file, { range: 'bytes=0-9' }))).toBe('incompatible')
        expect(await codeOf(client.send(files.write, file, { content: Buffer.from('x') }))).toBe(
          'incompatible',
        )
        const stream = client.events(consoleOperations.events, { query: { servers: 's' } })
        expect(await codeOf(stream.next())).toBe('incompatible')
        expect(other.seen).toEqual([])
        // The proof needs that the token did travel to where it belongs.
        expect(JSON.stringify(home.seen[0]?.headers)).toContain(TOKEN)
      },
    )
  })

  test('a chain that starts at home and leads away is cut where it leaves', async () => {
    await using other = await listen((_request, response) => reply(response, 200, { items: [] }))
    await using home = await listen((request, response) =>
      reply(response, 302, undefined, {
        location: request.path === '/servers' ? '/api/v1/moved' : `${other.baseUrl}/servers`,
      }),
    )
    expect(await codeOf(clientOf(home, profile).send(servers.list, {}))).toBe('incompatible')
    expect(home.seen).toHaveLength(2)
    expect(other.seen).toEqual([])
  })
})

describe('a redirect at home', () => {
  test('is followed for a read, with the token, up to three times', async () => {
    await using home = await listen((request, response) => {
      const hop = Number(/\d$/.exec(request.path)?.[0] ?? 0)
      if (hop === 3) reply(response, 200, { items: [], nextCursor: null })
      else reply(response, 307, undefined, { location: `../v1/hop${hop + 1}` })
    })
    expect(await codeOf(clientOf(home, {}).send(servers.list, {}))).toBe('answered')
    expect(home.seen.map((seen) => seen.headers.authorization)).toEqual(Array(4).fill(`Bearer ${TOKEN}`))
  })

  test('in a circle comes to an end', async () => {
    await using home = await listen((_request, response) =>
      reply(response, 302, undefined, { location: '/api/v1/servers' }),
    )
    expect(await codeOf(clientOf(home, {}).send(servers.list, {}))).toBe('incompatible')
    expect(home.seen).toHaveLength(4)
  })

  test('is not followed for what changes something', async () => {
    await using home = await listen((_request, response) =>
      reply(response, 308, undefined, { location: '/api/v1/elsewhere' }),
    )
    const power = { params: { serverId: 's' }, body: { action: 'start' as const } }
    expect(await codeOf(clientOf(home, {}).send(servers.power, power))).toBe('incompatible')
    expect(home.seen).toHaveLength(1)
  })

  test('to no address at all, to credentials or to another scheme is not followed', async () => {
    for (const location of [
      'http://',
      'http://a:b@127.0.0.1/',
      'https://127.0.0.1/',
      'file:///etc/passwd',
      'data:,x',
    ]) {
      await using home = await listen((_request, response) => reply(response, 302, undefined, { location }))
      expect(await codeOf(clientOf(home, {}).send(servers.list, {}))).toBe('incompatible')
      expect(home.seen).toHaveLength(1)
    }
  })

  test('with credentials of its own origin is not followed', async () => {
    await using home = await listen((_request, response, raw) =>
      reply(response, 302, undefined, { location: `http://a:b@${raw.headers.host ?? ''}/api/v1/servers` }),
    )
    expect(await codeOf(clientOf(home, {}).send(servers.list, {}))).toBe('incompatible')
    expect(home.seen).toHaveLength(1)
  })
})
