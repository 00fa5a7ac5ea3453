import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  DockerSwarm,
  documentedCommands,
  type SwarmMachine,
} from '../../../../tests/fixtures/docker-swarm.ts'
import { temporary } from '../../../host/temporary.fixture.ts'
import type { ServerSpec } from '../types.ts'
import { ended, nobody, OutputProbe, serverOf } from './containers.fixture.ts'
import { SwarmDriver } from './swarm-driver.ts'

let swarm: DockerSwarm

beforeAll(async () => {
  swarm = await DockerSwarm.open()
}, 120_000)
afterAll(() => swarm.close())

const log = pino({ level: 'silent' })
const onNodes = (script: string, more: Partial<ServerSpec> = {}) =>
  serverOf(script, { host: '0.0.0.0', memoryMb: 128, ...more })
const machine = (name: string | undefined): SwarmMachine => swarm.machines.find((one) => one.name === name)!
const driverOf = (service: string) => SwarmDriver.create(swarm.settings, { service, servers: new Map(), log })
/** How long the engine takes to call a node down, and to look at it again, in ms. */
const LOST_MS = 60_000

/** Writes into its folder for as long as it runs, and says who it is. */
const WRITING = `
  import { appendFileSync } from 'node:fs'
  import { hostname } from 'node:os'
  setInterval(() => appendFileSync('written.txt', hostname() + '\\n'), 50)
  let at = 0
  setInterval(() => console.log('line', at++), 20)
  process.on('SIGTERM', () => process.exit(143))
  process.stdin.resume()`
const runningOf = async (id: string): Promise<string[]> =>
  (
    await Promise.all(
      swarm.machines.map(async (one) =>
        (await one.running()).filter((name) => name.includes(id)).map(() => one.name),
      ),
    )
  ).flat()

test('a program runs on a node, is spoken with, and its service is gone once it has ended', async () => {
  const service = temporary()
  const driver = await driverOf(service)
  const { spec, program } = onNodes(
    `
    import { createServer } from 'node:net'
    createServer((socket) => socket.end('hello')).listen(20001)
    process.stdin.setEncoding('utf8').on('data', (text) => {
      console.log('heard', text.trim())
      if (text.trim() === 'stop') process.exit(0)
    })
    console.log('ready', Object.keys(process.env).filter((name) => name.startsWith('WHEELHOUSE')).length)`,
    { node: 'node-2' },
  )
  const heard = new OutputProbe()
  const running = await driver.start(spec, program, heard.take, nobody)
  await heard.until('ready 0')
  expect(running.place).toEqual({ node: 'node-2', address: '10.99.0.2', isGone: false, goneSince: null })
  expect(await runningOf(spec.id)).toEqual(['node-2'])
  await expect.poll(() => running.write('hello')).toBe(true)
  await heard.until('heard hello')
  const answer = new Promise((resolve, reject) =>
    connect(spec.port, '10.99.0.2').once('data', resolve).once('error', reject),
  )
  expect(String(await answer)).toBe('hello')
  expect(await running.usage()).toMatchObject({ memoryBytes: expect.any(Number) as number })
  running.stop('stop', { commandMs: 20_000, termMs: 5_000 }, nobody)
  expect(await ended(running)).toMatchObject({ exitCode: 0, isOverMemory: false })
  await driver.close()
  expect(await swarm.machines[0]!.engine.docker('service', 'ls', '-q')).toBe('')
})

test('the address of a provider’s secrets is closed by the documented command', async () => {
  const secrets = '169.254.169.254'
  swarm.addAddress(secrets)
  const provider = createServer((socket) => socket.end('secret')).listen(80, secrets)
  await once(provider, 'listening')
  onTestFinished(() => void provider.close())
  const driver = await driverOf(temporary())
  const { spec, program } = onNodes(
    `
    import { connect } from 'node:net'
    process.stdin.on('data', () => {
      const socket = connect({ port: 80, host: '${secrets}', timeout: 3000 })
      socket.on('data', (text) => console.log('reached', String(text)))
      socket.on('error', () => console.log('closed')).on('timeout', () => (console.log('closed'), socket.destroy()))
    })
    console.log('ready')`,
    { node: 'node-3' },
  )
  const heard = new OutputProbe()
  const running = await driver.start(spec, program, heard.take, nobody)
  await heard.until('ready')
  await expect.poll(() => running.write('try')).toBe(true)
  await heard.until('reached secret')
  machine('node-3').sh(documentedCommands('iptables'))
  running.write('try')
  await heard.until('closed')
  running.kill()
  await ended(running)
  await driver.close()
})

test('a service that was gone misses no line and hears none twice', async () => {
  const service = temporary()
  const first = await driverOf(service)
  const { spec, program } = onNodes(WRITING)
  const before = new OutputProbe()
  const left = await first.start(spec, program, before.take, nobody)
  await before.until('line 100')
  await left.leave!()
  await first.close()

  const second = await driverOf(service)
  const survivor = second.survivors.get(spec.id)
  if (survivor?.kind !== 'running') throw new Error('It was not found.')
  const after = new OutputProbe()
  const running = survivor.resume(after.take, Promise.resolve(before.last))
  await after.until('line 400')
  const lines = [...before.lines, ...after.lines]
  expect(lines).toEqual(lines.map((_, at) => `line ${at}`))
  await expect(second.start(spec, program, nobody, nobody)).rejects.toMatchObject({
    code: 'engine.runs-already',
  })
  running.kill()
  expect(await ended(running)).toMatchObject({ exitCode: 137 })
  await second.close()
})

test(
  'on a node that is cut off it stays where it is while its mark is renewed, and ends when the node is back',
  async () => {
    const driver = await driverOf(temporary())
    const { spec, program } = onNodes(WRITING, { node: 'node-2' })
    const running = await driver.start(spec, program, nobody, nobody)
    await expect(running.abandon!()).rejects.toMatchObject({ code: 'node.not-gone' })
    const told = new Promise<void>((resolve) => running.onPlace!(resolve))
    machine('node-2').cut()
    await told
    expect(running.place).toMatchObject({
      node: 'node-2',
      isGone: true,
      goneSince: expect.any(Number) as number,
    })
    // It reaches the storage, so it goes on.
    await expect(running.abandon!()).rejects.toMatchObject({ code: 'server.maybe-running' })
    expect(await runningOf(spec.id)).toEqual(['node-2'])
    machine('node-2').join()
    expect(await ended(running)).toMatchObject({ isAway: true })
    expect(await runningOf(spec.id)).toEqual([])
    await driver.close()
  },
  3 * LOST_MS,
)

test(
  'one whose machine has lost everything is begun on another, and never runs twice',
  async () => {
    const driver = await driverOf(temporary())
    const { spec, program } = onNodes(WRITING)
    const running = await driver.start({ ...spec, node: 'node-3' }, program, nobody, nobody)
    const { node } = running.place!
    const lost = new Promise<void>((resolve) => running.onPlace!(resolve))
    machine(node).cut()
    const [container] = (await machine(node).engine.docker('ps', '-q', '--filter', `name=${spec.id}`)).split(
      '\n',
    )
    await machine(node).engine.docker('pause', container!)
    await lost
    await running.abandon!()
    expect(await ended(running)).toMatchObject({ isAbandoned: true })

    const heard = new OutputProbe()
    const again = await driver.start(spec, program, heard.take, nobody)
    await heard.until('line 10')
    expect(again.place!.node).not.toBe(node)
    // It comes back, still without a network: it sees that it is no longer meant.
    await machine(node).engine.docker('unpause', container!)
    await expect.poll(() => runningOf(spec.id), { timeout: 15_000 }).toEqual([again.place!.node])
    machine(node).join()
    again.kill()
    await ended(again)
    await driver.close()
  },
  3 * LOST_MS,
)

test.each([
  ['a node that is not there', { node: 'node-9' }, {}, 'node.cannot'],
  ['more memory than any has', { memoryMb: 900_000 }, {}, 'node.no-room'],
  ['a file that the node lacks', {}, { reads: ['/nowhere'] }, 'node.no-path'],
  ['a server for its own computer alone', { host: '127.0.0.1' }, {}, 'node.only-here'],
])('%s is told in a sentence', async (_what, more, of, code) => {
  const driver = await driverOf(temporary())
  const { spec, program } = onNodes('', more)
  await expect(driver.start(spec, { ...program, ...of }, nobody, nobody)).rejects.toMatchObject({ code })
  await driver.close()
})
