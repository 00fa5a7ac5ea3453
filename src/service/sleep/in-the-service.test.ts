import { expect, onTestFinished, test } from 'vitest'
import { askToJoin } from '../../../tests/fixtures/raw-game.ts'
import { heldClock, openTestService, startTestService, temporaryFolder } from '../service.fixture.ts'
import { pingServer } from '../worlds/server-list-ping.ts'

const RULE = { afterMinutes: 15, wake: 'anybody' }
const SERVER = { name: 'Meadow', software: { id: 'demo', version: '1.21.4' }, memoryMb: 512 }

test('who may change the configuration sets after how long it sleeps, and who wakes it', async () => {
  const { account, call } = await startTestService()
  const token = await account('ann@example.org')
  const { id } = (await call('POST /servers', { token, body: SERVER })).body
  const config = async () => (await call(`GET /servers/config/${id}`, { token })).body.sleep
  const change = (sleep: unknown) => call(`PATCH /servers/config/${id}`, { token, body: { sleep } })
  expect(await config()).toEqual({})
  expect((await change(RULE)).body.sleep).toEqual(RULE)
  expect((await change({ afterMinutes: 0, wake: 'anybody' })).status).toBe(422)
  expect((await change({ afterMinutes: 15, wake: 'friends' })).status).toBe(422)
  expect(await config()).toEqual(RULE)
  expect((await change(null)).body.sleep).toEqual({})
})

test('a server falls asleep, sleeps on over a restart of the service, and is woken; the log says so', async () => {
  const [dataDir, clock] = [await temporaryFolder(), heldClock()]
  const first = await openTestService({ dataDir, clock })
  const token = await first.account('ann@example.org')
  const { id, address } = (await first.call('POST /servers', { token, body: SERVER })).body
  await first.call(`PATCH /servers/config/${id}`, { token, body: { sleep: RULE } })
  const statusAt = (service: typeof first) => async () =>
    (await service.call(`GET /servers/status/${id}`, { token })).body.status
  await first.call(`POST /servers/power/${id}`, { token, body: { action: 'start' } })
  await expect.poll(statusAt(first)).toBe('online')
  clock.forward(16 * 60_000)
  await expect.poll(statusAt(first)).toBe('sleeping')
  const others = (await first.call('GET /notifications/me', { token })).body.items
  expect(others.filter(({ kind }: { kind: string }) => kind === 'stop' || kind === 'crash')).toEqual([])
  await first.service.close()
  expect(await pingServer(address.port)).toBeNull()

  const again = await openTestService({ dataDir, clock })
  onTestFinished(() => again.service.close(true))
  expect(await statusAt(again)()).toBe('sleeping')
  await expect.poll(() => pingServer(address.port)).toMatchObject({ players: { online: 0, max: 20 } })
  // Files are changed as while it is off.
  const files = await again.call(`POST /servers/files/folder/${id}`, { token, body: { path: 'plugins' } })
  expect(files.status).toBeLessThan(300)
  expect(await askToJoin(address, 'Ada')).toContain('Waking up.')
  await expect.poll(statusAt(again)).toBe('online')
  const log = (await again.call(`GET /servers/activity/${id}`, { token })).body.items
  const own = log.filter(({ actor }: { actor: { service?: boolean } }) => actor.service)
  expect(own).toMatchObject([{ action: 'servers.woken', target: 'Ada' }, { action: 'servers.slept' }])
})
