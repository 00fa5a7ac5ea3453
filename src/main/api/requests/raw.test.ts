import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { files } from '../../../contract/areas/files.ts'
import { ApiClient } from '../client.ts'
import { makeDispatcher } from './transport.ts'
import { type ApiProfile, parseProfile } from '../profile/profile.ts'
import { type TestResponder, listen, refusal, reply } from '../test-listener.ts'
import { thrownProblem } from '../thrown-problem.fixture.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const params = { serverId: 's' }
const uploads = '/api/v1/servers/files/upload/s'

async function service(answering: TestResponder, profile: object = {}) {
  const listener = await listen((request, response, raw) =>
    request.path === '/servers'
      ? reply(response, 200, { items: [{ id: 's', name: 'S', status: 'online' }], nextCursor: null })
      : answering(request, response, raw),
  )
  const parsed = parseProfile(JSON.stringify({ baseUrl: listener.baseUrl, ...profile }))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  const held: ApiProfile = parsed.profile
  const client = new ApiClient({
    baseUrl: listener.baseUrl,
    dispatcher,
    token: async () => 'good',
    profile: () => held,
  })
  client.trust()
  return { listener, client, [Symbol.asyncDispose]: () => listener.stop() }
}

test('goes to the address of the operation, then to the place that was answered, each time with the token', async () => {
  await using at = await service((request, response) => {
    if (request.method === 'POST') reply(response, 201, undefined, { location: `${uploads}/u1` })
    else if (request.method === 'HEAD') reply(response, 200, undefined, { 'upload-offset': '3' })
    else reply(response, 200, { entry: { name: 'a', kind: 'file' } }, { 'upload-offset': '5' })
  })
  const made = await at.client.raw(files.upload, { params, headers: { 'Upload-Length': '5' } })
  expect(made).toMatchObject({ status: 201, json: null })
  const location = made.headers['location'] as string
  const head = await at.client.raw(files.upload, { params, location, method: 'HEAD' })
  expect(head.headers['upload-offset']).toBe('3')
  const patched = await at.client.raw(files.upload, {
    params,
    location,
    method: 'PATCH',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '3' },
    body: Readable.from([Buffer.from('de')]),
  })
  expect(patched).toMatchObject({ status: 200, json: { entry: { name: 'a' } } })
  expect(at.listener.seen.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
    ['POST', uploads, 'Bearer good'],
    ['HEAD', `${uploads}/u1`, 'Bearer good'],
    ['PATCH', `${uploads}/u1`, 'Bearer good'],
  ])
  expect(at.listener.seen[0]?.headers['upload-length']).toBe('5')
  expect(at.listener.seen[2]).toMatchObject({
    body: 'de',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '3' },
  })
})

test('takes a place relative to the operation, as its profile has it, with the renamed header', async () => {
  await using at = await service((_request, response) => reply(response, 204), {
    tokenHeader: 'X-Api-Key',
    tokenScheme: '',
    operations: { 'files.upload': { path: '/up/:serverId' } },
  })
  // What a caller sets never replaces the token.
  await at.client.raw(files.upload, {
    params,
    location: 's/u2',
    method: 'HEAD',
    headers: { 'x-api-key': 'mine' },
  })
  expect(at.listener.seen[0]).toMatchObject({ url: '/api/v1/up/s/u2', headers: { 'x-api-key': 'good' } })
})

test('goes to no place elsewhere, and nothing arrives there', async () => {
  await using other = await listen((_request, response) => reply(response, 200))
  await using at = await service((_request, response) => reply(response, 200))
  const places = [
    `${other.baseUrl}/servers/files/upload/s/u1`,
    `//127.0.0.1:${other.port}/api/v1/u1`,
    `http://good@127.0.0.1:${at.listener.port}${uploads}/u1`,
    `https://127.0.0.1:${at.listener.port}${uploads}/u1`,
    '/elsewhere/u1',
    '../../../../../outside',
    `${uploads}/../../../../../../outside`,
    'http://',
  ]
  for (const location of places) {
    const body = Readable.from([Buffer.from('x')])
    const fault = await thrownProblem(
      at.client.raw(files.upload, { params, location, method: 'PATCH', body }),
    )
    expect(fault, location).toMatchObject({ code: 'incompatible', detail: 'location' })
    expect(body.destroyed).toBe(true)
  }
  expect([...other.seen, ...at.listener.seen]).toEqual([])
})

test('is not redirected, neither at home nor elsewhere', async () => {
  await using other = await listen((_request, response) => reply(response, 200))
  for (const location of [`${other.baseUrl}/x`, '/api/v1/x']) {
    await using at = await service((_request, response) => reply(response, 307, undefined, { location }))
    for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE'] as const) {
      expect((await thrownProblem(at.client.raw(files.upload, { params, method }))).code).toBe('incompatible')
    }
    expect(at.listener.seen).toHaveLength(4)
  }
  expect(other.seen).toEqual([])
})

test('finds what an operation made gone, without asking for servers or forgetting the operation', async () => {
  for (const status of [404, 410]) {
    await using at = await service((_request, response) => reply(response, status))
    const request = { params, location: `${uploads}/u1`, method: 'HEAD' } as const
    expect((await thrownProblem(at.client.raw(files.upload, request))).code).toBe('not-found')
    const taken = await at.client.raw(files.upload, { ...request, accept: [404, 410] })
    expect(taken.status).toBe(status)
    expect(at.client.offered.missingSince('files.upload')).toBeNull()
    expect(at.listener.seen).toHaveLength(2)
  }
})

test('remembers that an operation is not offered, unless it is told not to', async () => {
  await using at = await service((_request, response) => reply(response, 405))
  const fault = await thrownProblem(at.client.raw(files.upload, { params, remember: false }))
  expect(fault.code).toBe('unavailable')
  expect(at.client.offered.missingSince('files.upload')).toBeNull()
  await thrownProblem(at.client.raw(files.upload, { params }))
  expect(at.client.offered.missingSince('files.upload')).not.toBeNull()
})

test('classifies what goes wrong as every call does', async () => {
  await using at = await service((request, response) => {
    const status = Number(request.headers['x-status'])
    if (status === 200) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
    else reply(response, status, refusal('files.exists'))
  })
  const code = async (status: number) =>
    (await thrownProblem(at.client.raw(files.upload, { params, headers: { 'x-status': String(status) } })))
      .code
  expect([await code(409), await code(413), await code(403), await code(507), await code(200)]).toEqual([
    'conflict',
    'too-large',
    'forbidden',
    'service-failed',
    'unconfirmed',
  ])
})
