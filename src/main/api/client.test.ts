import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { account } from '../../contract/areas/account.ts'
import { consoleOperations } from '../../contract/areas/console.ts'
import { files } from '../../contract/areas/files.ts'
import { servers } from '../../contract/areas/servers.ts'
import { ApiClient } from './client.ts'
import { dispatcher, server, service, user } from './client.fixture.ts'
import { parseProfile } from './profile/profile.ts'
import { listen, refusal, reply } from './test-listener.ts'
import { thrownProblem } from './thrown-problem.fixture.ts'

describe('a call', () => {
  test('carries parameters, query, body, entity tag and token, and answers the parsed value with its own tag', async () => {
    await using at = await service((_request, response) =>
      reply(response, 200, { name: 'x' }, { etag: '"7"' }),
    )
    const answer = await at.client.send(
      servers.changeConfig,
      { params: { serverId: 'a/b?c#d é' }, body: { name: 'Ünder' } },
      { ifMatch: '"6"' },
    )
    expect(answer).toEqual({ value: { name: 'x' }, etag: '"7"', heldSince: null })
    const sent = at.listener.seen.at(-1)
    expect(sent?.method).toBe('PATCH')
    expect(sent?.url).toBe('/api/v1/servers/config/a%2Fb%3Fc%23d%20%C3%A9')
    expect(sent?.headers['if-match']).toBe('"6"')
    expect(sent?.headers.authorization).toBe('Bearer good')
    expect(JSON.parse(sent?.body ?? '')).toEqual({ name: 'Ünder' })
  })

  test('encodes the query and leaves out what is not given', async () => {
    await using at = await service((_request, response) =>
      reply(response, 200, { items: [], nextCursor: null }),
    )
    await at.client.send(servers.list, { query: { limit: 5, cursor: 'a&b=c' } })
    await at.client.send(servers.list, { query: { limit: undefined } })
    expect(at.listener.seen.map((seen) => seen.url)).toEqual([
      '/api/v1/users/me',
      '/api/v1/servers?limit=5&cursor=a%26b%3Dc',
      '/api/v1/servers',
    ])
  })

  test.each(['.', '..', ''])(
    'refuses the server id “%s”, which would name another place',
    async (serverId) => {
      await using at = await service((_request, response) => reply(response, 200, {}))
      expect((await thrownProblem(at.client.send(servers.status, { params: { serverId } }))).code).toBe(
        'invalid',
      )
      expect(at.listener.seen.every((seen) => seen.url === '/api/v1/users/me')).toBe(true)
    },
  )

  test('without need of a token carries none', async () => {
    await using at = await service((_request, response) => reply(response, 204))
    await at.client.send(account.resend, { body: { email: 'ann@example.com' } })
    expect(at.listener.seen[0]?.headers.authorization).toBeUndefined()
    expect(at.listener.seen).toHaveLength(1)
  })

  test('takes an empty answer where no field is required', async () => {
    await using at = await service((_request, response) => reply(response, 202))
    const { value } = await at.client.send(consoleOperations.command, {
      params: { serverId: 's' },
      body: { command: 'list' },
    })
    expect(value).toEqual({})
  })

  test('reads a compressed answer', async () => {
    await using at = await service((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify(server('s'))))
    })
    const { value } = await at.client.send(servers.read, { params: { serverId: 's' } })
    expect(value.name).toBe('Server s')
  })
})

describe('a list', () => {
  test('leaves out only the items that do not fit, and tells which', async () => {
    await using at = await service((_request, response) =>
      reply(response, 200, {
        items: [server('a'), { id: 'b' }, 7, { ...server('c'), players: { online: 'many' } }, server('d')],
        nextCursor: 'next',
        surprise: true,
      }),
    )
    const { value } = await at.client.send(servers.list, {})
    expect(value.items.map(({ id }) => id)).toEqual(['a', 'c', 'd'])
    expect(value.nextCursor).toBe('next')
    expect(value.leftOut).toEqual([
      { index: 1, path: 'items.1.name' },
      { index: 2, path: 'items.2' },
    ])
    // A count of players that is none costs nothing else of the server.
    expect(value.items[1]).toEqual({ id: 'c', name: 'Server c', status: 'online' })
  })

  test('without items does not fit', async () => {
    await using at = await service((_request, response) => reply(response, 200, { gone: [], errors: [1] }))
    expect(await thrownProblem(at.client.send(servers.list, {}))).toMatchObject({
      code: 'incompatible',
      detail: 'items',
    })
  })
})

describe('an answer that does not fit', () => {
  test('names the path of the field', async () => {
    await using at = await service((_request, response) =>
      reply(response, 200, { id: 's', name: { de: 'S' }, players: { online: 1 } }),
    )
    expect(await thrownProblem(at.client.send(servers.read, { params: { serverId: 's' } }))).toMatchObject({
      code: 'incompatible',
      detail: 'name',
      retryable: false,
    })
  })

  test.each([
    ['text/html; charset=utf-8', '<html><body>Sign in to the network</body></html>'],
    ['text/plain', '<!DOCTYPE html><html></html>'],
  ])(
    'is incompatible, or of a write not confirmed, where it is a web page (%s), also for calls that answer nothing',
    async (type, page) => {
      await using at = await service((_request, response) => {
        response.writeHead(200, { 'content-type': type })
        response.end(page)
      })
      const read = await thrownProblem(at.client.send(servers.read, { params: { serverId: 's' } }))
      expect(read).toMatchObject({ code: 'incompatible', detail: 'body' })
      expect(read.message).toContain('web page')
      expect((await thrownProblem(at.client.send(account.forgot, { body: { email: 'a@b.de' } }))).code).toBe(
        'unconfirmed',
      )
    },
  )

  test('is a failure of the service where it is broken JSON or breaks off', async () => {
    await using at = await service((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      if (request.path.endsWith('cut')) response.write('{"id":', () => response.destroy())
      else response.end(`{"id":${' '.repeat(94)}`)
    })
    for (const serverId of ['broken', 'cut']) {
      const fault = await thrownProblem(at.client.send(servers.read, { params: { serverId } }))
      expect(fault).toMatchObject({ code: 'service-failed' })
    }
  })

  test('is refused where it is longer than 32 MiB, also after unpacking', async () => {
    const long = Buffer.alloc(33 * 1024 * 1024, ' ')
    await using at = await service((request, response) => {
      const packed = request.path.endsWith('packed')
      response.writeHead(200, packed ? { 'content-encoding': 'gzip' } : {})
      response.end(packed ? gzipSync(long) : long)
    })
    for (const serverId of ['plain', 'packed']) {
      const fault = await thrownProblem(at.client.send(servers.read, { params: { serverId } }))
      expect(fault).toMatchObject({ code: 'incompatible', detail: 'body' })
      expect(fault.message).toContain('32 MB')
    }
  })

  test('is read behind the mark of its byte order', async () => {
    const list = JSON.stringify([server('a')])
    await using at = await service((request, response) => {
      response.writeHead(request.path.startsWith('/servers/power') ? 409 : 200, {
        'content-type': 'application/json',
      })
      if (request.path.startsWith('/servers?') || request.path === '/servers') response.end(`\ufeff${list}`)
      else if (request.path.startsWith('/servers/power'))
        response.end('\ufeff{"error":{"code":"server.busy","message":"Busy."}}')
      else if (request.path.startsWith('/servers/command')) response.end('\ufeff{"accepted":true}')
      else response.end(`\ufeff${JSON.stringify(server('a'))}`)
    })
    const params = { serverId: 'a' }
    expect((await at.client.send(servers.list, {})).value.items).toEqual([server('a')])
    expect((await at.client.send(servers.read, { params })).value).toEqual(server('a'))
    const command = at.client.send(consoleOperations.command, { params, body: { command: 'list' } })
    expect((await command).value).toEqual({ accepted: true })
    const fault = await thrownProblem(at.client.send(servers.power, { params, body: { action: 'start' } }))
    expect(fault).toMatchObject({ code: 'conflict', message: 'Busy.' })
  })

  test('keeps the parts of an error body that can be read', async () => {
    await using at = await service((_request, response) =>
      reply(response, 409, { error: { code: 'server.busy', message: 'Busy.', fields: 'all' } }),
    )
    const fault = await thrownProblem(
      at.client.send(servers.power, { params: { serverId: 's' }, body: { action: 'start' } }),
    )
    expect(fault).toMatchObject({ code: 'conflict', serviceCode: 'server.busy', message: 'Busy.' })
  })
})

describe('what is not there', () => {
  test('is not found where a fresh list of servers no longer holds it', async () => {
    await using at = await service((request, response) => {
      if (!request.path.startsWith('/servers?')) return reply(response, 404)
      const second = request.path.includes('cursor=2')
      reply(response, 200, { items: [server(second ? 'b' : 'a')], nextCursor: second ? null : '2' })
    })
    expect((await thrownProblem(at.client.send(servers.status, { params: { serverId: 'c' } }))).code).toBe(
      'not-found',
    )
    const there = await thrownProblem(at.client.send(servers.status, { params: { serverId: 'b' } }))
    expect(there).toMatchObject({ code: 'unavailable', detail: 'servers.status' })
  })

  test.each<[string, (second: boolean) => object]>([
    ['a number as its cursor', (second) => ({ nextCursor: second ? null : 2 })],
    ['its cursor in another spelling', (second) => ({ next_cursor: second ? null : '2' })],
  ])('is looked for on all pages of a list with %s', async (_how, beside) => {
    await using at = await service((request, response) => {
      if (!request.path.startsWith('/servers?')) return reply(response, 404)
      const second = request.path.includes('cursor=2')
      reply(response, 200, { items: [server(second ? 'b' : 'a')], ...beside(second) })
    })
    const status = async (serverId: string) =>
      (await thrownProblem(at.client.send(servers.status, { params: { serverId } }))).code
    expect(await status('c')).toBe('not-found')
    expect(await status('b')).toBe('unavailable')
  })

  test.each<[string, object]>([
    ['counts more pages', { totalPages: 2, page: 1 }],
    ['counts more items', { total: 2, nextCursor: null }],
    ['goes on with what cannot be sent back', { nextCursor: { after: 'a' } }],
    ['goes on with the same page again and again', { nextCursor: 'x' }],
  ])('is never said to be gone where the list %s', async (_how, beside) => {
    await using at = await service((request, response) =>
      request.path.startsWith('/servers?')
        ? reply(response, 200, { items: [server('a')], ...beside })
        : reply(response, request.path.endsWith('/z') ? 200 : 404, {}),
    )
    for (const op of [servers.status, files.limits])
      expect((await thrownProblem(at.client.send(op, { params: { serverId: 'b' } }))).code).toBe(
        'unavailable',
      )
    // Nor is that remembered: it may be about this server alone.
    await at.client.send(files.limits, { params: { serverId: 'z' } })
    expect(at.listener.seen.filter(({ url }) => url.includes('/servers?')).length).toBeLessThan(9)
  })

  test('is answered without the network from then on, until asked again', async () => {
    await using at = await service((_request, response) => reply(response, 501, refusal('not-built')))
    expect((await thrownProblem(at.client.send(files.list, { params: { serverId: 's' } }))).code).toBe(
      'unavailable',
    )
    const asked = at.listener.seen.length
    expect((await thrownProblem(at.client.send(files.list, { params: { serverId: 't' } }))).code).toBe(
      'unavailable',
    )
    expect(at.listener.seen).toHaveLength(asked)
    at.client.offered.askAgain(files.list.id)
    await thrownProblem(at.client.send(files.list, { params: { serverId: 's' } }))
    expect(at.listener.seen).toHaveLength(asked + 1)
  })

  test('on a service without a list is not remembered, since another server may have it', async () => {
    await using at = await service((request, response) =>
      request.path === '/servers/status/here'
        ? reply(response, 200, { status: 'online' })
        : reply(response, 404),
    )
    expect((await thrownProblem(at.client.send(servers.status, { params: { serverId: 'gone' } }))).code).toBe(
      'unavailable',
    )
    const { value } = await at.client.send(servers.status, { params: { serverId: 'here' } })
    expect(value.status).toBe('online')
  })
})

describe('an API profile', () => {
  const profileFor = (baseUrl: string, more: object) => {
    const parsed = parseProfile(JSON.stringify({ baseUrl, ...more }))
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
    return parsed.profile
  }

  test('changes method, path and the header of the token', async () => {
    await using at = await listen((request, response) => {
      reply(response, 200, request.path === '/users/me' ? user : {})
    })
    const profile = profileFor(at.baseUrl, {
      tokenHeader: 'X-Api-Key',
      tokenScheme: '',
      operations: { 'servers.power': { method: 'PUT', path: '/machines/:serverId/switch' } },
    })
    const client = new ApiClient({
      baseUrl: at.baseUrl,
      dispatcher,
      token: async () => 'good',
      profile: () => profile,
    })
    await client.send(servers.power, { params: { serverId: 's' }, body: { action: 'start' } })
    const sent = at.seen.at(-1)
    expect([sent?.method, sent?.url]).toEqual(['PUT', '/api/v1/machines/s/switch'])
    expect(sent?.headers['x-api-key']).toBe('good')
    expect(sent?.headers.authorization).toBeUndefined()
  })

  test('turns an operation off without the network', async () => {
    await using at = await service((_request, response) => reply(response, 200, {}))
    const profile = profileFor(at.listener.baseUrl, { operations: { 'servers.list': { off: true } } })
    const client = new ApiClient({
      baseUrl: at.listener.baseUrl,
      dispatcher,
      profile: () => profile,
      token: async () => 'good',
    })
    client.trust()
    expect((await thrownProblem(client.send(servers.list, {}))).code).toBe('unavailable')
    expect(at.listener.seen).toHaveLength(0)
  })
})

describe('an end', () => {
  test('by the caller is thrown as the caller gave it', async () => {
    const asked = Promise.withResolvers<void>()
    await using at = await service(() => asked.resolve())
    const control = new AbortController()
    const reading = at.client.send(servers.list, {}, { signal: control.signal })
    await asked.promise
    const reason = new Error('The window was closed.')
    control.abort(reason)
    await expect(reading).rejects.toBe(reason)
  })

  test('of the client ends what is in flight and refuses what comes', async () => {
    const asked = Promise.withResolvers<void>()
    await using at = await service(() => asked.resolve())
    const reading = thrownProblem(at.client.send(servers.list, {}))
    await asked.promise
    at.client.close()
    expect((await reading).code).toBe('signed-out')
    expect((await thrownProblem(at.client.send(servers.list, {}))).code).toBe('signed-out')
  })
})
