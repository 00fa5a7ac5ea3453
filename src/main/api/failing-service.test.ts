import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { account } from '../../contract/areas/account.ts'
import { servers } from '../../contract/areas/servers.ts'
import { ApiClient } from './client.ts'
import { dispatcher, quickClock, service } from './client.fixture.ts'
import { parseProfile } from './profile/profile.ts'
import { reply } from './test-listener.ts'
import { thrownProblem } from './thrown-problem.fixture.ts'

describe('trying again', () => {
  test('helps a read over a failing service, with growing waits', async () => {
    let failures = 2
    await using at = await service((_request, response) => {
      if (failures-- > 0) reply(response, 503)
      else reply(response, 200, { items: [], nextCursor: null })
    })
    await at.client.send(servers.list, {})
    expect(at.clock.slept).toEqual([300, 600])
  })

  test('ends after the third attempt', async () => {
    await using at = await service((_request, response) => reply(response, 500))
    expect((await thrownProblem(at.client.send(servers.list, {}))).code).toBe('service-failed')
    expect(at.listener.seen.filter((seen) => seen.url === '/api/v1/servers')).toHaveLength(3)
  })

  test('never happens to what changes something', async () => {
    await using at = await service((_request, response) => reply(response, 503))
    await thrownProblem(
      at.client.send(servers.power, { params: { serverId: 's' }, body: { action: 'stop' } }),
    )
    expect(at.listener.seen.filter((seen) => seen.method === 'POST')).toHaveLength(1)
    expect(at.clock.slept).toEqual([])
  })

  test('never happens to a read that a profile sends as something else', async () => {
    await using at = await service((_request, response) => reply(response, 503))
    const parsed = parseProfile(
      JSON.stringify({ baseUrl: at.listener.baseUrl, operations: { 'servers.list': { method: 'POST' } } }),
    )
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
    const { profile } = parsed
    const client = new ApiClient({
      baseUrl: at.listener.baseUrl,
      dispatcher,
      profile: () => profile,
      token: async () => 'good',
    })
    await thrownProblem(client.send(servers.list, {}))
    expect(at.listener.seen.filter((seen) => seen.method === 'POST')).toHaveLength(1)
  })

  test('waits as long as the service asks, and not at all where that is too long', async () => {
    const waits = ['2', '120']
    await using at = await service((_request, response) =>
      reply(response, 429, undefined, { 'retry-after': waits.shift() ?? '120' }),
    )
    const fault = await thrownProblem(at.client.send(servers.list, {}))
    expect(fault).toMatchObject({ code: 'rate-limited', retryAfter: 120 })
    expect(at.clock.slept).toEqual([2000])
  })
})

describe('a service that is away', () => {
  // Short limits are kept only roughly, so which of them ends the call is left open.
  const tookTooLong = /^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|TOOK_TOO_LONG)$/

  test('is offline, with the cause, and the connection is told', async () => {
    const reached: string[] = []
    const at = await service((_request, response) => reply(response, 200, {}), {
      onReach: (reach) => reached.push(reach.kind),
    })
    await at.listener.stop()
    const fault = await thrownProblem(at.client.send(account.forgot, { body: { email: 'a@b.de' } }))
    expect(fault).toMatchObject({ code: 'offline', detail: 'ECONNREFUSED', retryable: true })
    expect(fault.message).toContain('not running')
    expect(reached).toEqual(['failed'])
  })

  test('is not offline where a later exchange reached it before an earlier one broke', async () => {
    const reached: string[] = []
    let hanging = () => {}
    const arrived = new Promise<void>((resolve) => (hanging = resolve))
    let socket: { destroy(): void } | undefined
    await using at = await service(
      (request, response, raw) => {
        if (request.path !== '/auth/password/forgot')
          return reply(response, 200, { items: [], nextCursor: null })
        socket = raw.socket
        hanging()
      },
      { onReach: (reach) => reached.push(reach.kind) },
    )
    const broken = thrownProblem(at.client.send(account.forgot, { body: { email: 'a@b.de' } }))
    await arrived
    await at.client.send(servers.list, {})
    socket?.destroy()
    expect((await broken).code).toBe('offline')
    expect(reached).not.toContain('failed')
    expect(reached).toContain('reached')
  })

  test('is offline where its name leads nowhere', async () => {
    const client = new ApiClient({
      baseUrl: 'https://nowhere.invalid/api/v1',
      dispatcher,
      clock: quickClock(),
    })
    const fault = await thrownProblem(client.send(account.forgot, { body: { email: 'a@b.de' } }))
    expect(fault.code).toBe('offline')
    expect(fault.detail).toMatch(/ENOTFOUND|EAI_AGAIN/)
  })

  test('is offline where it takes the call and never answers', async () => {
    await using at = await service(() => {}, { timeoutMs: 150 })
    const fault = await thrownProblem(at.client.send(servers.list, {}))
    expect(fault).toMatchObject({ code: 'offline', detail: expect.stringMatching(tookTooLong) })
    expect(at.clock.slept).toEqual([])
  })

  test('is offline where it falls silent within its answer', async () => {
    await using at = await service(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"items":')
      },
      { timeoutMs: 150 },
    )
    expect(await thrownProblem(at.client.send(servers.list, {}))).toMatchObject({
      code: 'offline',
      detail: expect.stringMatching(tookTooLong),
    })
  })

  test('is offline where it drips its answer without end', async () => {
    await using at = await service(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const drip = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(drip))
      },
      { timeoutMs: 150 },
    )
    expect(await thrownProblem(at.client.send(servers.list, {}))).toMatchObject({
      code: 'offline',
      // On a busy machine even its head may take too long.
      detail: expect.stringMatching(tookTooLong),
    })
  })

  test('is incompatible where something else than HTTP answers', async () => {
    const other = createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'))
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const client = new ApiClient({ baseUrl: `http://127.0.0.1:${port}/api/v1`, dispatcher })
    expect((await thrownProblem(client.send(account.forgot, { body: { email: 'a@b.de' } }))).code).toBe(
      'incompatible',
    )
    other.close()
  })
})
