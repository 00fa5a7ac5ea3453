import { execFileSync } from 'node:child_process'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { SwarmEngineDouble } from '../../../../tests/doubles/swarm-engine.ts'
import { DockerEngine } from '../../../../tests/fixtures/docker-engine.ts'
import { temporary } from '../../../host/temporary.fixture.ts'
import type { Node, RunningProgram } from '../programs/driver.ts'
import { ended, nobody, OutputProbe, serverOf } from './containers.fixture.ts'
import { Engine } from './engine.ts'
import { LABELS } from './recipe.ts'
import { SwarmDriver } from './swarm-driver.ts'
import { SwarmNodes } from './swarm-nodes.ts'

const ADDRESS = '10.9.0.1'

/** Runs the same against a real manager and its double. */
async function said(address: string): Promise<unknown> {
  const engine = new Engine({ address, tls: null })
  onTestFinished(() => engine.close())
  const nodes = new SwarmNodes(engine, '/srv/wheelhouse')
  const [node] = await nodes.list()
  const create = (Name: string, Labels = {}) =>
    engine.post(
      '/services/create',
      {},
      {
        ...{ Name, Labels, Mode: { Replicated: { Replicas: 1 } } },
        TaskTemplate: {
          ContainerSpec: { Image: 'none:1' },
          RestartPolicy: { Condition: 'none' },
          Resources: { Reservations: { MemoryBytes: 100_000_000, NanoCPUs: 500_000_000 } },
        },
      },
    )
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      ({ status, message }: { status: number; message: string }) => ({ status, message }),
    )
  await create('a', { [LABELS.service]: '/srv/wheelhouse', [LABELS.server]: 'server-a' })
  let taken: Node | undefined
  await expect
    .poll(async () => ([taken] = await nodes.list())[0]?.serverIds, { timeout: 20_000 })
    .toEqual(['server-a'])
  await nodes.drain(node!.id, true)
  const [drained] = await nodes.list()
  await nodes.drain(node!.id, false)
  return {
    taken: { ...taken, ...{ id: '', name: '', cpus: 0, memoryBytes: 0 } },
    isDraining: [node, drained, (await nodes.list())[0]].map((one) => one?.isDraining),
    again: await failure(create('a')),
    outdated: await failure(
      engine.post(`/nodes/${node!.id}/update`, { version: 1 }, { Role: 'manager', Availability: 'pause' }),
    ),
    missing: await failure(
      engine.post('/nodes/none/update', { version: 1 }, { Role: 'worker', Availability: 'pause' }),
    ),
    lost: await failure(nodes.drain('none', true)),
  }
}

/** What a program on it is seen to do. */
async function ran(address: string, image: string): Promise<unknown> {
  const tls = { ca: '', cert: '', key: '' }
  const log = pino({ level: 'silent' })
  const driver = await SwarmDriver.create(
    { address, tls: null, image, swarm: { tls } },
    { service: temporary(), servers: new Map(), log },
  )
  onTestFinished(() => driver.close())
  const { spec, program } = serverOf(
    `console.log('[00:00:00 INFO]: Done (0.1s)! For help, type "help"')
    process.stdin.setEncoding('utf8').on('data', (text) => {
      if (text.trim() === 'stop') process.exit(0)
      console.log('heard', text.trim())
    })`,
    { host: '0.0.0.0' },
  )
  const run = async (end: (program: RunningProgram) => void) => {
    const heard = new OutputProbe()
    const running = await driver.start(spec, program, heard.take, nobody)
    await heard.until('Done')
    await expect.poll(() => running.write('hello')).toBe(true)
    await heard.until('heard hello')
    const { memoryBytes = 0 } = (await running.usage()) ?? {}
    end(running)
    return { lines: heard.lines, isUsed: memoryBytes > 0, ...(await ended(running)) }
  }
  return [
    await run((running) => running.stop('stop', { commandMs: 20_000, termMs: 5_000 }, nobody)),
    await run((running) => running.kill()),
  ]
}

test('the double of a swarm answers as a real manager does', async () => {
  execFileSync('ip', ['addr', 'add', `${ADDRESS}/24`, 'dev', 'lo'])
  const engine = await DockerEngine.open()
  onTestFinished(() => engine.close())
  await engine.docker('swarm', 'init', '--listen-addr', `${ADDRESS}:2377`, '--advertise-addr', ADDRESS)
  const double = await SwarmEngineDouble.start({ nodes: ['node-1'] })
  onTestFinished(() => double.stop())
  expect(await said(double.address)).toEqual(await said(engine.address))
  const image = await engine.image()
  expect(await ran(double.address, image)).toEqual(await ran(engine.address, image))
})
