import { describe, expect, test } from 'vitest'
import { heldClock, startTestService } from '../../service.fixture.ts'
import { listen, twoPeople } from './notifications.fixture.ts'

const DAY = 24 * 60 * 60 * 1000

async function people(options: Parameters<typeof startTestService>[0] = {}) {
  return twoPeople(await startTestService(options))
}

describe('the stream of an account', () => {
  test('tells that servers came and went, and that scopes have changed', async () => {
    const { service, serverId, owner, other, share } = await people()
    const mine = await listen(service, owner.token)
    const body = { name: 'Second', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 }
    await service.call('POST /servers', { token: owner.token, body })
    await mine.next('servers')
    await share(['server.read'])
    const others = await listen(service, other.token)
    await service.call(`PATCH /servers/access/${serverId}/${other.id}`, {
      token: owner.token,
      body: { scopes: ['server.read', 'control.start'] },
    })
    expect((await others.next('scopes')).data).toEqual({ serverId })
    await others.next('notification')
    await service.call(`DELETE /servers/${serverId}?confirm=Mine`, { token: owner.token })
    await others.next('servers')
  })

  test.for(['the person who invited may no longer', 'the server is deleted'] as const)(
    'tells who is invited that the offer has gone because %s',
    async (why) => {
      const { service, serverId, owner, other, share } = await people()
      await share(['server.read', 'access.read', 'access.write'])
      const email = 'third@example.org'
      const third = await service.account(email)
      const invited = await listen(service, third)
      await service.call(`POST /servers/access/${serverId}`, {
        token: other.token,
        body: { email, scopes: ['server.read'] },
      })
      await invited.next('servers')
      const came = await invited.next('notification', ({ data }) => data.notification?.kind === 'invitation')
      expect(came.data.unread).toBe(1)
      if (why === 'the server is deleted')
        await service.call(`DELETE /servers/${serverId}?confirm=Mine`, { token: owner.token })
      else
        await service.call(`PATCH /servers/access/${serverId}/${other.id}`, {
          token: owner.token,
          body: { scopes: ['server.read'] },
        })
      await invited.next('servers')
      expect((await invited.next('notification')).data).toEqual({ unread: 0, notification: null })
      expect((await service.call('GET /invitations', { token: third })).body.items).toEqual([])
    },
  )

  test('tells that what was unread has gone with its server', async () => {
    const { service, serverId, owner, other, share, power } = await people()
    await share(['server.read'])
    await power(owner, 'start')
    const others = await listen(service, other.token)
    expect(others.first.data.unread).toBeGreaterThan(0)
    await power(owner, 'kill')
    await others.next('notification', ({ data }) => data.notification?.kind === 'stop')
    await expect
      .poll(
        async () =>
          (await service.call(`DELETE /servers/${serverId}?confirm=Mine`, { token: owner.token })).status,
      )
      .toBe(204)
    await others.next('notification', ({ data }) => data.unread === 0)
  })

  test('says that its sign-in has ended, and ends', async () => {
    const { service, owner, other } = await people()
    const [mine, others] = [await listen(service, owner.token), await listen(service, other.token)]
    await service.call('POST /auth/logout', { token: owner.token })
    expect(await mine.ended()).toEqual(['signed-out'])
    const again = await service.call('POST /auth/login', {
      body: { email: other.email, password: 'correct horse battery' },
    })
    await service.call('DELETE /users/me/sessions', { token: String(again.body.token) })
    expect(await others.ended()).toEqual(['signed-out'])
  })

  test('tells nothing more once its sign-in has run out, however often something happens', async () => {
    const clock = heldClock()
    const { service, serverId, owner, other, share, power } = await people({ clock })
    await share(['server.read', 'control.start'])
    const stream = await listen(service, owner.token)
    clock.forward(29 * DAY)
    const renewed = await service.call('POST /auth/login', {
      body: { email: other.email, password: 'correct horse battery' },
    })
    clock.forward(DAY)
    const expired = await service.call(`GET /servers/${serverId}`, { token: owner.token })
    expect(expired.status).toBe(401)
    await power({ ...other, token: String(renewed.body.token) }, 'start')
    expect(await stream.ended()).toEqual(['signed-out'])
  })

  test('is bounded for an account, and ends with the service', async () => {
    const { service, owner } = await people({ bounds: { streams: 2 } })
    const streams = [await listen(service, owner.token), await listen(service, owner.token)]
    const { status, body } = await service.call('GET /users/me/events', { token: owner.token })
    expect(`${status} ${body.error.code}`).toBe('429 console.too-many-streams')
    await service.service.close(true)
    for (const stream of streams) expect(await stream.ended().catch(() => 'cut')).not.toContain('signed-out')
  })
})
