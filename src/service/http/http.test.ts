import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { BASE_PATH, servedOperations } from '../../contract/areas/index.ts'
import { BOUNDS } from './limits/bounds.ts'
import { RequestLimiter } from './limits/request-limiter.ts'
import { InFlight } from './in-flight.ts'
import { createHono } from './http.ts'
import type { Phase } from './serve.ts'
import type { ServerRow } from '../store/servers.ts'
import { startTestService } from '../service.fixture.ts'

describe('the HTTP surface', () => {
  test('asks every operation that is declared so for a token', async () => {
    const { call } = await startTestService()
    for (const op of servedOperations.filter(({ token }) => token)) {
      const route = `${op.method} ${op.path.replaceAll(/:\w+/g, 'x')}`
      const missing = await call(route)
      expect([missing.status, missing.body.error.code], op.id).toEqual([401, 'auth.token-missing'])
      expect(missing.headers.get('www-authenticate')).toBe('Bearer')
      const wrong = await call(route, { token: 'wh_wrong' })
      expect([wrong.status, wrong.body.error.code], op.id).toEqual([401, 'auth.token-invalid'])
    }
  })

  test('says 404 for an unknown route and 405 with what is allowed for another method', async () => {
    const { call, baseUrl } = await startTestService()
    const unknown = await call('GET /nothing/here')
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'route.not-found'])
    const other = await call('PUT /servers')
    expect([other.status, other.body.error.code]).toEqual([405, 'route.wrong-method'])
    expect(other.headers.get('allow')).toBe('GET, HEAD, POST')
    const outside = await fetch(new URL('/', baseUrl))
    expect([outside.status, (await outside.json()).error.message]).toEqual([
      404,
      expect.stringContaining('/api/v1'),
    ])
  })

  test('does not take the event stream for a server of that name', async () => {
    const { call, account } = await startTestService()
    const token = await account('ann@example.org')
    const answer = await call('GET /servers/events', { token })
    expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([422, ['servers']])
    expect((await call('DELETE /servers/events', { token })).status).toBe(405)
    expect((await call('GET /servers/none', { token })).body.error.code).toBe('server.not-found')
  })

  test('gives each answer an id, which its error repeats and the log holds', async () => {
    const { call } = await startTestService()
    const refused = await call('GET /users/me')
    const id = refused.headers.get('x-request-id')
    expect(id).toMatch(/^[\w-]{12}$/)
    expect(refused.body.error.requestId).toBe(id)
    expect((await call('GET /users/me')).headers.get('x-request-id')).not.toBe(id)
  })

  test('serves its OpenAPI document to anybody', async () => {
    const { call } = await startTestService()
    const { status, body } = await call('GET /openapi.json')
    expect([status, body.openapi]).toEqual([200, '3.1.0'])
  })
})

describe('a service that is stopping', () => {
  test('is still read, and takes no changes; once stopped it answers nothing', async () => {
    let phase: Phase = 'ending'
    const handlers = new Map(servedOperations.map((op) => [op.id, () => ({ items: [] })]))
    const caller = { accountId: 'me', tokenHash: '' }
    const hono = createHono({
      handlers,
      log: pino({ enabled: false }),
      gates: new RequestLimiter(BOUNDS, () => performance.now()),
      phase: () => phase,
      authenticate: () => caller,
      askSecondFactor: async () => {},
      below: new Map([['files.upload', { answer: async () => new Response(), options: {} }]]),
      access: {
        byId: (id) => ({ id }) as ServerRow,
        held: () => 'owner',
        isGoing: () => false,
      },
      inFlight: new InFlight(),
      wrote: () => {},
    })
    const headers = { Authorization: 'Bearer x' }
    const ask = async (method: string, path: string) =>
      (await hono.request(BASE_PATH + path, { method, headers }, {})).status
    expect(await ask('GET', '/servers')).toBe(200)
    expect(await ask('POST', '/servers')).toBe(503)
    phase = 'ended'
    expect(await ask('GET', '/servers')).toBe(503)
  })
})

describe('bodies', () => {
  const route = 'POST /auth/login'

  test('that are no JSON are 400, of another type 415, missing 422', async () => {
    const { call } = await startTestService()
    const malformed = await call(route, { body: '{"email":' })
    expect([malformed.status, malformed.body.error.code]).toEqual([400, 'request.malformed'])
    const text = await call(route, { body: '{}', headers: { 'Content-Type': 'text/plain' } })
    expect([text.status, text.body.error.code]).toEqual([415, 'request.not-json'])
    expect((await call(route)).status).toBe(422)
    expect((await call(route, { body: '"text"' })).status).toBe(422)
    expect((await call(route, { body: '{"__proto__": {"email": 1}}' })).status).toBe(422)
  })

  test('that were begun with a token are not obeyed once that was revoked', async () => {
    const { call, account, baseUrl } = await startTestService()
    const token = await account('ann@example.org')
    const body = JSON.stringify({ name: 'Late', software: { id: 'demo', version: 'x' }, memoryMb: 512 })
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /api/v1/servers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    )
    // The service has begun with the request by now.
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /)
    await call('POST /auth/logout', { token })
    socket.write(body)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  test('over 1 MiB are 413, also where their length is not said, and the service goes on', async () => {
    const { call, baseUrl } = await startTestService()
    const body = JSON.stringify({ email: 'a@b.org', password: 'x'.repeat(1024 * 1024) })
    const said = await call(route, { body })
    expect([said.status, said.body.error.code]).toEqual([413, 'request.too-large'])

    // A stream without an end: the answer comes before it does.
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const chunk = 'x'.repeat(64 * 1024)
    for (let i = 0; i < 17; i++) socket.write(`10000\r\n${chunk}\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
    expect((await call('GET /openapi.json')).status).toBe(200)
  })
})
