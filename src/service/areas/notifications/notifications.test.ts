import { FLOOD } from '../../../../tests/doubles/flood-script.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { NOTIFICATIONS_KEPT } from '../../../contract/areas/notifications.ts'
import type { GrantedScopes } from '../../base/access.ts'
import { heldClock, startTestService } from '../../service.fixture.ts'
import { listen, listOf, twoPeople } from './notifications.fixture.ts'

const DAY = 24 * 60 * 60 * 1000

async function people(options: Parameters<typeof startTestService>[0] = {}) {
  return twoPeople(await startTestService(options))
}

/** With a program that ends when it is told to crash. */
async function withFlood() {
  vi.stubEnv('WHEELHOUSE_SCRIPT', FLOOD)
  onTestFinished(() => void vi.unstubAllEnvs())
  return twoPeople(await startTestService(), { id: 'flood', version: '1' })
}

describe('what an account is told', () => {
  test('somebody else has started and stopped a server, by its buttons or its console; who did it is not told', async () => {
    const { service, serverId, owner, other, share, power, command, until } = await people()
    await share(['server.read', 'control.start', 'control.stop', 'control.kill', 'console.send'])
    const stream = await listen(service, owner.token)
    await power(other, 'start')
    const { data } = await stream.next('notification')
    expect(data).toMatchObject({
      unread: 1,
      notification: {
        kind: 'start',
        title: 'Other started Mine',
        serverId,
        readAt: null,
        values: { server: 'Mine', by: 'Other' },
      },
    })
    await power(other, 'restart')
    await stream.next('notification', (told) => told.data.notification?.title === 'Other restarted Mine')
    await power(other, 'kill')
    await stream.next('notification', (told) => told.data.notification?.title === 'Other killed Mine')
    expect(await listOf(service, other.token)).toEqual([])
    await until('offline')
    await power(owner, 'start')
    await until('online')
    await command(other, 'list')
    await command(other, 'stop')
    await stream.next('notification', (told) => told.data.notification?.title === 'Other stopped Mine')
    const titles = (await listOf(service, other.token)).map(({ title }) => title)
    expect(titles).toEqual(['Owner started Mine'])
  })

  test('a server has crashed: everybody who may read it is told', async () => {
    const { service, serverId, owner, other, share, power, command, until } = await withFlood()
    await share(['server.read'])
    const [mine, others] = [await listen(service, owner.token), await listen(service, other.token)]
    await power(owner, 'start')
    await until('online')
    await command(owner, 'crash 7')
    for (const stream of [mine, others]) {
      const { data } = await stream.next('notification', (told) => told.data.notification?.kind === 'crash')
      expect(data.notification).toMatchObject({
        title: 'Mine crashed',
        serverId,
        values: { server: 'Mine', exitCode: 7 },
      })
    }
  })

  test('nobody is told of a server that they may not read, and what was told is out of sight once they may not', async () => {
    const held = new Map<string, GrantedScopes>()
    const { service, serverId, owner, other, share, power } = await people({
      held: (accountId, server) => (accountId === server.ownerId ? 'owner' : (held.get(accountId) ?? null)),
    })
    await share(['server.read'])
    const grant = (scopes: GrantedScopes) => {
      held.set(other.id, scopes)
      const body = { scopes: ['server.read'] }
      return service.call(`PATCH /servers/access/${serverId}/${other.id}`, { token: owner.token, body })
    }
    await grant(['control.start'])
    await power(owner, 'start')
    expect(await listOf(service, other.token)).toEqual([])
    await grant(['server.read'])
    expect(await listOf(service, other.token)).toEqual([])
    await power(owner, 'kill')
    expect(await listOf(service, other.token)).toHaveLength(1)
    const stream = await listen(service, other.token)
    expect(stream.first.data.unread).toBe(1)
    await grant(['control.start'])
    expect((await stream.next('notification')).data.unread).toBe(0)
    expect(await listOf(service, other.token)).toEqual([])
  })

  test('an invitation, anew where it is sent again, and gone once it is answered or taken back', async () => {
    const { service, serverId, owner, other, invite, answer } = await people()
    const stream = await listen(service, other.token)
    await invite(['server.read'])
    await stream.next('servers')
    const { data } = await stream.next('notification', (told) => told.data.notification !== null)
    expect(data.notification).toMatchObject({
      kind: 'invitation',
      title: 'Owner invites you to Mine',
      values: { by: 'Owner', server: 'Mine' },
    })
    await service.call('POST /notifications/read', {
      token: other.token,
      body: { ids: [data.notification.id] },
    })
    await invite(['server.read', 'control.start'])
    const told = await listOf(service, other.token)
    expect(told).toMatchObject([{ kind: 'invitation', readAt: null }])
    await answer(false)
    expect(await listOf(service, other.token)).toEqual([])
    const { body } = await invite(['server.read'])
    expect(await listOf(service, other.token)).toHaveLength(1)
    await service.call(`DELETE /servers/access/${serverId}/${body.id}`, { token: owner.token })
    expect(await listOf(service, other.token)).toEqual([])
  })

  test('a sign-in from an address at which the account was not known, and not the first of all', async () => {
    const service = await startTestService({ behindProxy: true })
    const from = (address: string) => ({
      'X-Forwarded-For': address,
      'User-Agent': `Panel\n${'x'.repeat(300)}`,
    })
    const signIn = async (address: string) =>
      service.call('POST /auth/login', {
        body: { email: 'ann@example.org', password: 'correct horse battery' },
        headers: { ...from(address), 'User-Agent': 'Panel' },
      })
    const token = await service.account('ann@example.org')
    await signIn('192.0.2.1')
    const first = await listOf(service, token)
    expect(first).toHaveLength(1)
    expect(first).toMatchObject([{ kind: 'sign-in', values: { device: 'Panel', address: '192.0.2.1' } }])
    // Who signs in with Google alone has no password here.
    expect(first[0].body).toMatch(/ end the session and change the password that you sign in with\.$/)
    await signIn('192.0.2.1')
    expect(await listOf(service, token)).toHaveLength(1)
  })

  test('a sign-in from where the password was set by mail a moment ago: whoever reads that mail may be somebody else', async () => {
    const service = await startTestService({ behindProxy: true })
    const email = 'ann@example.org'
    await service.account(email)
    const headers = { 'X-Forwarded-For': '192.0.2.1', 'User-Agent': 'Panel' }
    await service.call('POST /auth/password/forgot', { headers, body: { email } })
    const reset = { email, code: await service.code(), password: 'another long password' }
    await service.call('POST /auth/password/reset', { headers, body: reset })
    const signIn = { headers, body: { email, password: 'another long password' } }
    const { body } = await service.call('POST /auth/login', signIn)
    const told = await listOf(service, String(body.token))
    expect(told).toMatchObject([{ kind: 'sign-in', values: { device: 'Panel', address: '192.0.2.1' } }])
    await service.call('POST /auth/login', signIn)
    expect(await listOf(service, String(body.token))).toHaveLength(1)
  })

  test('in the language of the account', async () => {
    const { service, owner, other, share, power } = await people()
    await share(['server.read', 'control.start'])
    await service.call('PATCH /users/me', { token: owner.token, body: { language: 'de' } })
    await power(other, 'start')
    expect(await listOf(service, owner.token)).toMatchObject([{ title: 'Other hat Mine gestartet' }])
  })
})

describe('what is kept', () => {
  test('goes after 90 days of which the service was there', async () => {
    const clock = heldClock()
    const { service, owner, other, share, power, until } = await people({ clock })
    await share(['server.read', 'control.start', 'control.kill'])
    await power(other, 'start')
    await power(other, 'kill')
    await until('offline')
    const signIn = async () => {
      const body = { email: owner.email, password: 'correct horse battery' }
      return String((await service.call('POST /auth/login', { body })).body.token)
    }
    for (let day = 0; day < 89; day++) {
      clock.forward(DAY)
      if (day % 20 === 0) owner.token = await signIn()
      expect(await listOf(service, owner.token)).toHaveLength(2)
    }
    clock.forward(DAY)
    expect(await listOf(service, owner.token)).toEqual([])
  })

  test('goes with its server', async () => {
    const { service, serverId, owner, other, share, power, until } = await people()
    await share(['server.read', 'control.start', 'control.kill'])
    await power(other, 'start')
    await power(other, 'kill')
    await until('offline')
    expect(await listOf(service, owner.token)).toHaveLength(2)
    await service.call(`DELETE /servers/${serverId}?confirm=Mine`, { token: owner.token })
    expect(await listOf(service, owner.token)).toEqual([])
  })

  test(`is read in pages, marked read by its ids alone, and known to the export`, async () => {
    const { service, owner, other, share, power } = await people()
    await share(['server.read', 'control.start', 'control.stop', 'control.kill'])
    for (const action of ['start', 'restart', 'kill']) await power(other, action)
    const { call } = service
    const first = await call('GET /notifications/me?limit=2', { token: owner.token })
    expect(first.body.items).toHaveLength(2)
    const cursor = String(first.body.nextCursor)
    const second = await call(`GET /notifications/me?limit=2&cursor=${cursor}`, { token: owner.token })
    expect(second.body).toMatchObject({ items: [{ kind: 'start' }], nextCursor: null })
    expect((await call('GET /notifications/me?cursor=x', { token: owner.token })).status).toBe(422)
    const id = String(second.body.items[0].id)
    const mark = (token: string, ids: unknown) => call('POST /notifications/read', { token, body: { ids } })
    // Somebody else's ids mark nothing.
    expect((await mark(other.token, [id])).status).toBe(204)
    expect((await listOf(service, owner.token)).every(({ readAt }) => readAt === null)).toBe(true)
    const elsewhere = await listen(service, owner.token)
    expect(elsewhere.first.data.unread).toBe(3)
    expect((await mark(owner.token, [id, 'unknown'])).status).toBe(204)
    expect((await elsewhere.next('notification')).data).toEqual({ unread: 2, notification: null })
    expect((await listOf(service, owner.token)).map(({ readAt }) => readAt === null)).toEqual([
      true,
      true,
      false,
    ])
    expect((await mark(owner.token, [])).status).toBe(422)
    const many = Array.from({ length: NOTIFICATIONS_KEPT + 1 }, (_, at) => `n${at}`)
    expect((await mark(owner.token, many)).status).toBe(422)
    const { body } = await call('GET /users/me/export', { token: owner.token })
    expect(body.notifications).toHaveLength(3)
    expect(body.notificationSettings).toEqual({ mutedKinds: [], mutedServers: [], quietHours: null })
  })
})

describe('what an account wants to be told', () => {
  test('kinds and servers that are muted tell nothing', async () => {
    const { service, serverId, owner, other, share, power } = await people()
    await share(['server.read', 'control.start', 'control.stop', 'control.kill'])
    const settings = (body: object) =>
      service.call('PATCH /notifications/settings', { token: owner.token, body })
    expect((await settings({ mutedKinds: ['start'] })).body).toEqual({
      mutedKinds: ['start'],
      mutedServers: [],
      quietHours: null,
    })
    await power(other, 'start')
    expect(await listOf(service, owner.token)).toEqual([])
    // What is not given stays; a server that is not there is not kept.
    expect((await settings({ mutedServers: [serverId, 'none'] })).body).toMatchObject({
      mutedKinds: ['start'],
      mutedServers: [serverId],
    })
    await power(other, 'kill')
    expect(await listOf(service, owner.token)).toEqual([])
    const { body } = await service.call('GET /notifications/settings', { token: owner.token })
    expect(body.mutedServers).toEqual([serverId])
  })

  test('tells nobody whether there is a server that they have nothing to do with', async () => {
    const { service, serverId, other, share } = await people()
    const muted = async () =>
      (
        await service.call('PATCH /notifications/settings', {
          token: other.token,
          body: { mutedServers: [serverId, 'none'] },
        })
      ).body.mutedServers
    expect(await muted()).toEqual([])
    await share(['server.read'])
    expect(await muted()).toEqual([serverId])
    await service.call(`POST /servers/access/leave/${serverId}`, { token: other.token })
    expect(await muted()).toEqual([])
  })

  test('refuses kinds, times and time zones that there are not', async () => {
    const { service, owner } = await people()
    const settings = async (body: object) => {
      const { status, body: said } = await service.call('PATCH /notifications/settings', {
        token: owner.token,
        body,
      })
      return `${status} ${Object.keys(said.error?.fields ?? {}).join()}`
    }
    const quietHours = { begins: '22:00', ends: '07:00', timeZone: 'Europe/Berlin' }
    expect(await settings({ mutedKinds: ['weather'] })).toBe('422 mutedKinds')
    expect(await settings({ quietHours: { ...quietHours, timeZone: 'Mars/Olympus' } })).toBe('422 quietHours')
    expect(await settings({ quietHours: { ...quietHours, begins: '07:00' } })).toBe('422 quietHours')
    expect(await settings({ quietHours: { ...quietHours, begins: '24:00' } })).toBe('422 quietHours.begins')
    expect(await settings({ quietHours })).toBe('200 ')
    expect(await settings({ quietHours: null })).toBe('200 ')
  })

  test('in its quiet hours what happens is kept and counted, and not pushed', async () => {
    const clock = heldClock(Date.UTC(2026, 5, 1, 23, 30))
    const { service, owner, other, share, power } = await people({ clock })
    await share(['server.read', 'control.start', 'control.kill'])
    await service.call('PATCH /notifications/settings', {
      token: owner.token,
      body: { quietHours: { begins: '22:00', ends: '07:00', timeZone: 'UTC' } },
    })
    const stream = await listen(service, owner.token)
    await power(other, 'start')
    expect((await stream.next('notification')).data).toEqual({ unread: 1, notification: null })
    expect(await listOf(service, owner.token)).toMatchObject([{ kind: 'start', readAt: null }])
    clock.forward(8 * 60 * 60 * 1000)
    await power(other, 'kill')
    const { data } = await stream.next('notification')
    expect(data).toMatchObject({ unread: 2, notification: { kind: 'stop' } })
  })
})
