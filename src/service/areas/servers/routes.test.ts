import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gamePorts } from '../../../../tests/fixtures/game-ports.ts'
import { startTestService, temporaryFolder, type TestService } from '../../service.fixture.ts'

const create = { name: 'Survival', memoryMb: 512 }

async function demo({ call }: TestService, token: string) {
  const { items } = (await call('GET /software', { token })).body
  const id = items[0].id as string
  const versions = (await call(`GET /software/${id}/versions`, { token })).body.items
  return { id, version: versions[0].id as string }
}

async function signedIn(options?: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(options)
  const token = await service.account('ann@example.org')
  const software = await demo(service, token)
  const make = (name = create.name) =>
    service.call('POST /servers', { token, body: { ...create, name, software } })
  return { ...service, token, software, make }
}

describe('creating a server', () => {
  test('answers it whole, lists it and keeps it over a restart', async () => {
    const dataDir = await temporaryFolder()
    const { make, call, token, software, service } = await signedIn({ dataDir })
    const made = await make('Bären 🐻')
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Bären 🐻',
      status: 'offline',
      software: { id: software.id, version: software.version },
      address: { host: '127.0.0.1' },
      memoryMb: 512,
      role: 'owner',
    })
    expect(made.headers.get('location')).toBe(`/api/v1/servers/${made.body.id}`)
    expect((await call('GET /servers', { token })).body).toEqual({ items: [made.body], nextCursor: null })
    await service.close()

    const again = await startTestService({ dataDir })
    expect((await again.call(`GET /servers/${made.body.id}`, { token })).body).toMatchObject({
      id: made.body.id,
      name: 'Bären 🐻',
      address: made.body.address,
    })
    expect((await again.call(`GET /servers/status/${made.body.id}`, { token })).body.status).toBe('offline')
  })

  test('gives each a port of its own, also when made at once, and none that is taken on this computer', async () => {
    const from = gamePorts()
    const { make } = await signedIn({ firstGamePort: from })
    const first: number = (await make()).body.address.port
    expect(first).toBeGreaterThanOrEqual(from)
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(first + 1, '127.0.0.1', resolve))
    onTestFinished(() => void blocker.close())
    const made = await Promise.all(Array.from({ length: 12 }, () => make()))
    expect(made.map(({ status }) => status)).toEqual(Array(12).fill(201))
    const ports = made.map(({ body }) => body.address.port as number)
    expect(new Set([first, first + 1, ...ports]).size).toBe(14)
  })

  test('refuses software and versions that are not in the catalog', async () => {
    const { call, token, software } = await signedIn()
    const body = { ...create, software: { ...software, id: 'none' } }
    const unknown = await call('POST /servers', { token, body })
    expect([unknown.status, unknown.body.error.code]).toEqual([422, 'software.not-known'])
    expect(unknown.body.error.fields).toHaveProperty(['software.id'])
    body.software = { ...software, version: '0' }
    const version = await call('POST /servers', { token, body })
    expect([version.status, version.body.error.code]).toEqual([422, 'software.version-not-known'])
  })

  test('refuses a name of 300 emoji with a sentence, and a field it does not know by its name', async () => {
    const { call, token, software } = await signedIn()
    const body = { ...create, software, name: '🐻'.repeat(300), javaArgs: '-Xmx1G' }
    const { status, body: answer } = await call('POST /servers', { token, body })
    expect(status).toBe(422)
    expect(answer.error.fields.name[0]).toContain('60 characters')
    expect(answer.error.fields).toHaveProperty('javaArgs')
  })
})

describe('the list', () => {
  test('is paged by cursors that lose nothing while servers come and go', async () => {
    const { call, make, token } = await signedIn()
    for (const name of ['a', 'b', 'c', 'd']) await make(name)
    const first = (await call('GET /servers?limit=2', { token })).body
    expect(first.items.map((server: { name: string }) => server.name)).toEqual(['a', 'b'])
    await call(`DELETE /servers/${first.items[0].id}?confirm=a`, { token })
    const second = (await call(`GET /servers?limit=2&cursor=${first.nextCursor}`, { token })).body
    expect(second.items.map((server: { name: string }) => server.name)).toEqual(['c', 'd'])
    expect(second.nextCursor).toBeNull()
  })

  test('refuses limits and cursors that make no sense', async () => {
    const { call, token } = await signedIn()
    for (const query of ['limit=0', 'limit=201', 'limit=many', 'cursor=nonsense']) {
      const answer = await call(`GET /servers?${query}`, { token })
      expect(answer.status, query).toBe(422)
      expect(answer.body.error.fields).toHaveProperty(query.split('=')[0]!)
    }
  })

  test("holds no one else's servers, which are not found by id either", async () => {
    const { call, make, token, account } = await signedIn()
    const { id } = (await make()).body
    const stranger = await account('eve@example.org')
    expect((await call('GET /servers', { token: stranger })).body.items).toEqual([])
    for (const route of [
      `GET /servers/${id}`,
      `GET /servers/config/${id}`,
      `GET /servers/status/${id}`,
      `GET /servers/console/${id}`,
      `GET /servers/stats/${id}`,
      `GET /servers/events?servers=${id}`,
      `DELETE /servers/${id}?confirm=Survival`,
    ]) {
      const answer = await call(route, { token: stranger })
      expect([answer.status, answer.body.error.code], route).toEqual([404, 'server.not-found'])
    }
    for (const [route, body] of [
      [`PATCH /servers/config/${id}`, { name: 'Mine' }],
      [`POST /servers/power/${id}`, { action: 'start' }],
      [`POST /servers/command/${id}`, { command: 'stop' }],
    ] as const) {
      expect((await call(route, { token: stranger, body })).status, route).toBe(404)
    }
    expect((await call(`GET /servers/${id}`, { token })).body.name).toBe('Survival')
  })
})

describe('the configuration', () => {
  test('is changed where the entity tag is the one that was read', async () => {
    const { call, make, token } = await signedIn()
    const { id } = (await make()).body
    const read = await call(`GET /servers/config/${id}`, { token })
    const tag = read.headers.get('etag')!
    expect(read.body).toMatchObject({ name: 'Survival', memoryMb: 512 })
    const change = (name: string, headers: Record<string, string>) =>
      call(`PATCH /servers/config/${id}`, { token, body: { name }, headers })
    const changed = await change('Creative', { 'If-Match': tag })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...read.body, name: 'Creative' })
    expect(changed.headers.get('etag')).not.toBe(tag)

    const late = await change('Too late', { 'If-Match': tag })
    expect([late.status, late.body.error.code]).toEqual([412, 'config.changed'])
    expect(late.headers.get('etag')).toBe(changed.headers.get('etag'))
    expect((await call(`GET /servers/${id}`, { token })).body.name).toBe('Creative')
    // Without If-Match a change means "whatever it is now".
    expect((await change('At last', {})).status).toBe(200)
    expect((await change('Any', { 'If-Match': '*' })).status).toBe(200)
  })

  test('refuses what cannot be changed here by its name', async () => {
    const { call, make, token } = await signedIn()
    const { id } = (await make()).body
    const answer = await call(`PATCH /servers/config/${id}`, { token, body: { port: 1 } })
    expect(answer.status).toBe(422)
    expect(answer.body.error.fields).toHaveProperty('port')
  })
})

describe('deleting', () => {
  test('needs the name, and takes the folder along', async () => {
    const { call, make, token, service } = await signedIn()
    const { id } = (await make('My world')).body
    const folder = path.join(service.dataDir, 'servers', id)
    await access(folder)
    const refused = await call(`DELETE /servers/${id}?confirm=my%20world`, { token })
    expect([refused.status, refused.body.error.code]).toEqual([422, 'server.confirm-mismatch'])
    expect((await call(`DELETE /servers/${id}`, { token })).status).toBe(422)
    expect((await call(`DELETE /servers/${id}?confirm=My%20world`, { token })).status).toBe(204)
    expect((await call(`GET /servers/${id}`, { token })).status).toBe(404)
    await expect(access(folder)).rejects.toThrow('ENOENT')
  })

  test('is refused while the server runs', async () => {
    const { call, make, token } = await signedIn()
    const { id } = (await make()).body
    expect((await call(`POST /servers/power/${id}`, { token, body: { action: 'start' } })).status).toBe(202)
    const refused = await call(`DELETE /servers/${id}?confirm=Survival`, { token })
    expect(refused.status).toBe(409)
    expect((await call(`GET /servers/${id}`, { token })).status).toBe(200)
  })
})
