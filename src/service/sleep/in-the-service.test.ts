import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestService, startTestService, temporaryFolder } from '../service.fixture.ts'
import { pingServer } from '../worlds/server-list-ping.ts'
import { handshake, loginStart, RawPlayer } from './sleep.fixture.ts'

const RULE = { afterMinutes: 15, wake: 'anybody' }

test('who may change the configuration sets after how long it sleeps, and who wakes it', async () => {
  const { account, call } = await startTestService()
  const token = await account('ann@example.org')
  const body = { name: 'Meadow', software: { id: 'demo', version: '1.21.4' }, memoryMb: 512 }
  const { id } = (await call('POST /servers', { token, body })).body
  const config = async () => (await call(`GET /servers/config/${id}`, { token })).body.sleep
  const change = (sleep: unknown) => call(`PATCH /servers/config/${id}`, { token, body: { sleep } })
  expect(await config()).toBeNull()
  expect((await change(RULE)).body.sleep).toEqual(RULE)
  expect((await change({ afterMinutes: 0, wake: 'anybody' })).status).toBe(422)
  expect((await change({ afterMinutes: 15, wake: 'friends' })).status).toBe(422)
  expect(await config()).toEqual(RULE)
  expect((await change(null)).body.sleep).toBeNull()
})

test('a server that sleeps is woken by joining after a restart of the service; the log says who by', async () => {
  const dataDir = await temporaryFolder()
  const first = await openTestService({ dataDir })
  const token = await first.account('ann@example.org')
  const body = { name: 'Meadow', software: { id: 'demo', version: '1.21.4' }, memoryMb: 512 }
  const { id, address } = (await first.call('POST /servers', { token, body })).body
  await first.call(`PATCH /servers/config/${id}`, { token, body: { sleep: RULE } })
  await first.service.close()
  // As it is while one sleeps.
  await mkdir(path.join(dataDir, 'sleeping'), { recursive: true })
  await writeFile(path.join(dataDir, 'sleeping', id), '')

  const { call, service } = await openTestService({ dataDir })
  onTestFinished(() => service.close(true))
  const status = async () => (await call(`GET /servers/status/${id}`, { token })).body.status
  expect(await status()).toBe('sleeping')
  await expect.poll(() => pingServer(address.port)).toMatchObject({ players: { online: 0, max: 20 } })
  // Files are edited as while it is off.
  const files = `/servers/files/folder/${id}`
  expect((await call(`POST ${files}`, { token, body: { path: 'world' } })).status).toBeLessThan(300)
  const player = new RawPlayer(address).send(handshake(2), loginStart('Ada'))
  await player.closed()
  expect(player.received.toString()).toContain('Waking up.')
  await expect.poll(status).toBe('online')
  const log = (await call(`GET /servers/activity/${id}`, { token })).body.items
  expect(log[0]).toMatchObject({ action: 'servers.woken', target: 'Ada', actor: { service: true } })
})
