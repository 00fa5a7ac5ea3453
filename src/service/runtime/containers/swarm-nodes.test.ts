import { expect, onTestFinished, test } from 'vitest'
import { SwarmEngineDouble } from '../../../../tests/doubles/swarm-engine.ts'
import { Engine } from './engine.ts'
import { LABELS } from './recipe.ts'
import { SwarmNodes } from './swarm-nodes.ts'

const MIB = 1024 ** 2
const SERVICE = '/srv/wheelhouse'

async function swarm(names: readonly string[]): Promise<{ double: SwarmEngineDouble; nodes: SwarmNodes }> {
  const double = await SwarmEngineDouble.start({ nodes: names, cpus: 4, memoryBytes: 4096 * MIB })
  const engine = new Engine({ address: double.address, tls: null })
  onTestFinished(async () => {
    await engine.close()
    await double.stop()
  })
  return { double, nodes: new SwarmNodes(engine, SERVICE) }
}

const serviceOf = (server: string, node: string, service = SERVICE) => ({
  Name: `wheelhouse-${server}`,
  Labels: { [LABELS.service]: service, [LABELS.server]: server },
  TaskTemplate: {
    ContainerSpec: { Image: 'java', OpenStdin: true },
    Resources: { Reservations: { MemoryBytes: 1024 * MIB, NanoCPUs: 1.5e9 } },
    Placement: { Constraints: [`node.hostname==${node}`] },
  },
})

test('each node has its size, what is taken of it by anybody, and the servers of this service', async () => {
  const { double, nodes } = await swarm(['node-1', 'node-2'])
  double.create(serviceOf('a', 'node-2'))
  double.create(serviceOf('b', 'node-2', '/srv/another'))
  // Without room for it, it has no place yet.
  for (const id of ['c', 'd']) double.create(serviceOf(id, 'node-1'))
  double.create(serviceOf('e', 'node-1'))
  const [first, second] = await nodes.list()
  const size = { isReady: true, goneSince: null, isDraining: false, cpus: 4, memoryBytes: 4096 * MIB }
  const taken = { takenCpus: 3, takenMemoryBytes: 2048 * MIB }
  expect(first).toEqual({
    ...{ id: double.nodeId('node-1'), name: 'node-1', ...size, ...taken },
    serverIds: ['c', 'd'],
  })
  expect(second).toMatchObject({ name: 'node-2', ...size, ...taken, serverIds: ['a'] })
})

test('a node that drains takes no more, until it is used again; what else it was told stays', async () => {
  const { double, nodes } = await swarm(['node-1', 'node-2'])
  const id = double.nodeId('node-1')
  await nodes.drain(id, true)
  expect(await nodes.list()).toMatchObject([{ isDraining: true, isReady: true }, { isDraining: false }])
  double.create(serviceOf('a', 'node-1'))
  expect((await nodes.list())[0]?.serverIds).toEqual([])
  await nodes.drain(id, false)
  expect((await nodes.list())[0]).toMatchObject({ isDraining: false, serverIds: ['a'] })
  const changes = () => double.asked.filter((one) => one.startsWith('POST')).length
  const before = changes()
  await nodes.drain(id, false)
  expect(changes()).toBe(before)
})

test('a change of a node from elsewhere comes first', async () => {
  const { double, nodes } = await swarm(['node-1'])
  double.meanwhile = () => double.setState('node-1', 'down')
  await nodes.drain(double.nodeId('node-1'), true)
  expect(await nodes.list()).toMatchObject([{ isDraining: true, isReady: false }])
})

test('what the swarm does not know or answer is a sentence', async () => {
  const { double, nodes } = await swarm(['node-1'])
  await expect(nodes.drain('gone', true)).rejects.toMatchObject({ status: 404, code: 'node.not-found' })
  await double.stop()
  await expect(nodes.list()).rejects.toMatchObject({
    ...{ status: 503, code: 'node.not-told' },
    message: expect.stringContaining('(ENOENT)'),
  })
})
