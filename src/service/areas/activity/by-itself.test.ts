import { FLOOD } from '../../../../tests/doubles/flood-script.ts'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { RawTus } from '../../files/uploads/uploads.fixture.ts'
import { type Person, shared } from '../access/access.fixture.ts'

process.env['WHEELHOUSE_SCRIPT'] = FLOOD

interface Entry {
  action: string
  target: string | null
  result: string
  reason: string | null
  actor: { id: string; service?: boolean }
}

async function logged() {
  const at = await shared()
  const entries = async (by: Person, serverId = at.serverId): Promise<Entry[]> =>
    (await at.service.call(`GET /servers/activity/${serverId}`, { token: by.token })).body.items
  return { ...at, entries }
}

test('an upload is in the log once it is whole, and not for each of its pieces', async () => {
  const { service, serverId, owner, other, share, change, entries } = await logged()
  await share(other, ['files.write'])
  const tus = new RawTus(service.baseUrl, serverId, other.token)
  const { headers } = await tus.create(6, { path: 'world/level.dat' })
  const location = headers.location ?? ''
  await tus.patch(location, 0, Buffer.from('abc'))
  const sha256 = createHash('sha256').update('abcdef').digest('base64')
  await tus.patch(location, 3, Buffer.from('def'), { 'Upload-Checksum': `sha256 ${sha256}` })
  const uploads = async () => (await entries(owner)).filter(({ action }) => action === 'files.upload')
  expect(await uploads()).toMatchObject([
    { target: 'world/level.dat', result: 'done', actor: { id: other.id } },
  ])
  // Who has lost the right is in the log with what they tried.
  const begun = (await tus.create(6, { path: 'b.dat' })).headers.location ?? ''
  await change(owner, other.id, ['files.read'])
  expect((await tus.patch(begun, 0, Buffer.from('abc'))).status).toBe(403)
  expect((await uploads())[0]).toMatchObject({ result: 'refused', reason: 'server.forbidden' })
})

test('a crash is in the log as what nobody has done', async () => {
  const { service, owner, entries } = await logged()
  const { call } = service
  const { token } = owner
  const body = { name: 'Flood', software: { id: 'flood', version: '1' }, memoryMb: 512 }
  const serverId = String((await call('POST /servers', { token, body })).body.id)
  const status = async () => (await call(`GET /servers/status/${serverId}`, { token })).body.status
  await call(`POST /servers/power/${serverId}`, { token, body: { action: 'start' } })
  await expect.poll(status).toBe('online')
  await call(`POST /servers/command/${serverId}`, { token, body: { command: 'crash 7' } })
  await expect.poll(status).toBe('crashed')
  const [crash] = await entries(owner, serverId)
  expect(crash).toMatchObject({
    ...{ action: 'servers.crashed', result: 'failed', reason: 'exit-code-7' },
    actor: { id: 'service', service: true },
  })
})
