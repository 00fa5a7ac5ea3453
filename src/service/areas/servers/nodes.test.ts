import { expect, onTestFinished, test } from 'vitest'
import { SwarmEngineDouble } from '../../../../tests/doubles/swarm-engine.ts'
import type { EngineSettings } from '../../runtime/containers/engine.ts'
import { LABELS } from '../../runtime/containers/recipe.ts'
import { openStore } from '../../store/store.ts'
import { PASSWORD, startTestService, temporaryFolder } from '../../service.fixture.ts'
import { person, shared } from '../access/access.fixture.ts'
import path from 'node:path'
import { systemClock } from '../../base/clock.ts'

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } | null }) =>
  `${status} ${body?.error?.code ?? ''}`.trim()

test('the computers of a service are its owner’s, whoever else has an account', async () => {
  const dataDir = await temporaryFolder()
  const service = await startTestService({ dataDir })
  const [first, second] = [await person(service, 'first'), await person(service, 'second')]
  const asked: [string, object?][] = [
    ['GET /nodes'],
    ['PATCH /nodes/one', { isDraining: true }],
    ['POST /nodes/one/move', { serverId: 'a' }],
  ]
  const answers = async ({ token }: { token: string }) => {
    const said = []
    for (const [route, body] of asked) said.push(codeOf(await service.call(route, { token, body })))
    return said
  }
  expect(await answers(first)).toEqual(asked.map(() => '403 node.owner'))
  // Never confirmed, so whoever chose the address need not have it.
  const stranger = { email: 'admin@example.org', password: PASSWORD, name: 'Admin' }
  expect((await service.call('POST /auth/register', { body: stranger })).status).toBeLessThan(300)
  const store = await openStore(path.join(dataDir, 'service.db'), { clock: systemClock })
  store.accounts.ownService(stranger.email)
  store.accounts.ownService(second.email)
  store.accounts.ownService(first.email)
  await store.close()
  expect(await answers(first)).toEqual(asked.map(() => '403 node.owner'))
  expect(await answers(second)).toEqual(['200', '409 node.none', '409 node.none'])
})

test('where there is one computer, none is told or taken, and nothing is given up', async () => {
  const { service, serverId, owner, other, share } = await shared()
  await share(other, ['server.read', 'config.read', 'config.write'])
  const change = ({ token }: { token: string }, body: object) =>
    service.call(`PATCH /servers/config/${serverId}`, { token, body })
  expect(codeOf(await change(other, { node: 'node-1' }))).toBe('403 node.server-owner')
  const refused = await change(owner, { node: 'node-1', name: 'Changed' })
  expect(codeOf(refused)).toBe('409 node.none')
  expect(refused.body.error.fields).toHaveProperty('node')
  expect((await change(owner, { node: null })).body).toMatchObject({ name: 'Mine' })
  const { body } = await service.call(`GET /servers/config/${serverId}`, owner)
  expect(body).not.toHaveProperty('node')
  expect(body).not.toHaveProperty('nodes')
  expect(codeOf(await service.call(`POST /servers/abandon/${serverId}`, owner))).toBe('409 node.not-gone')
  expect(codeOf(await service.call(`POST /servers/abandon/${serverId}`, other))).toBe('403 server.forbidden')
})

async function swarmOf(
  nodes: readonly string[],
): Promise<{ double: SwarmEngineDouble; engine: EngineSettings }> {
  const double = await SwarmEngineDouble.start({ nodes })
  onTestFinished(() => double.stop().catch(() => undefined))
  const tls = { ca: '', cert: '', key: '' }
  return {
    double,
    engine: { address: double.address, tls: null, image: `sha256:${'0'.repeat(64)}`, swarm: { tls } },
  }
}

test('the owner sees what runs on each computer, drains one and uses it again', async () => {
  const { double, engine } = await swarmOf(['node-1', 'node-2'])
  const dataDir = await temporaryFolder()
  const { service, serverId, owner } = await shared({ dataDir, engine })
  const store = await openStore(path.join(dataDir, 'service.db'), { clock: systemClock })
  store.accounts.ownService(owner.email)
  await store.close()
  // As one of an earlier run of the service.
  double.create({
    ...{ Name: 'one', Labels: { [LABELS.service]: dataDir, [LABELS.server]: serverId } },
    TaskTemplate: {
      ContainerSpec: {},
      Placement: { Constraints: ['node.hostname==node-2'] },
      Resources: { Reservations: { MemoryBytes: 512 * 1024 ** 2 } },
    },
  })
  const list = async () => (await service.call('GET /nodes', owner)).body.items
  await service.call(`PATCH /servers/config/${serverId}`, { token: owner.token, body: { node: 'node-2' } })
  expect(await list()).toMatchObject([
    { name: 'node-1', isReady: true, isDraining: false, takenMemoryBytes: 0, servers: [] },
    {
      ...{ name: 'node-2', takenMemoryBytes: 512 * 1024 ** 2 },
      servers: [{ id: serverId, name: 'Mine', isPinned: true, playerNames: [] }],
    },
  ])
  const drain = (isDraining: boolean) =>
    service.call(`PATCH /nodes/${double.nodeId('node-2')}`, { token: owner.token, body: { isDraining } })
  expect((await drain(true)).status).toBe(204)
  expect(await list()).toMatchObject([{ isDraining: false }, { isDraining: true }])
  expect((await drain(false)).status).toBe(204)
  const move = (node: string, id = serverId) =>
    service.call(`POST /nodes/${node}/move`, { token: owner.token, body: { serverId: id } })
  expect(codeOf(await move(double.nodeId('node-1')))).toBe('404 server.not-found')
  expect(codeOf(await move('gone'))).toBe('404 node.not-found')
  double.setState('node-2', 'down')
  expect(await list()).toMatchObject([{ isReady: true }, { isReady: false }])
})

test('a server’s owner chooses one of the computers there are, also while the swarm is away', async () => {
  const { double, engine } = await swarmOf(['node-1', 'node-2'])
  const { service, serverId, owner, other, share } = await shared({ engine })
  await share(other, ['server.read', 'config.read', 'config.write'])
  const read = async ({ token }: { token: string }) =>
    (await service.call(`GET /servers/config/${serverId}`, { token })).body
  const change = ({ token }: { token: string }, body: object) =>
    service.call(`PATCH /servers/config/${serverId}`, { token, body })
  expect(await read(owner)).toMatchObject({ nodes: ['node-1', 'node-2'] })
  expect(codeOf(await change(other, { node: 'node-1' }))).toBe('403 node.server-owner')
  expect(codeOf(await change(owner, { node: 'node-3' }))).toBe('409 node.not-offered')
  expect((await change(owner, { node: 'node-2' })).body).toMatchObject({ node: 'node-2' })
  const seen = await read(other)
  expect(seen).toMatchObject({ node: 'node-2' })
  expect(seen).not.toHaveProperty('nodes')
  expect(codeOf(await change(other, { node: null }))).toBe('403 node.server-owner')
  await double.stop()
  expect(await read(owner)).toMatchObject({ node: 'node-2' })
  expect(codeOf(await change(owner, { node: 'node-1' }))).toBe('503 node.not-told')
  expect((await change(owner, { node: null })).status).toBe(200)
  expect(await read(owner)).not.toHaveProperty('node')
})
