import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DockerSwarm, type SwarmMachine } from '../../tests/fixtures/docker-swarm.ts'
import { SwarmController } from '../../tests/fixtures/swarm-controller.ts'

/** Says a number ten times a second for as long as it runs. */
const COUNTER = `
let at = 0
console.log('[00:00:00 INFO]: Done (0.1s)! For help, type "help"')
setInterval(() => console.log('line', at++), 100)
process.on('SIGTERM', () => process.exit(143))
process.stdin.on('data', (text) => { if (String(text).includes('stop')) process.exit(0) })`

/** For the swarm to see a machine as lost, and for a claim to become stale, in ms. */
const MOVED_MS = 180_000

let swarm: DockerSwarm
let controller: SwarmController
let serverId: string

beforeAll(async () => {
  swarm = await DockerSwarm.open()
  const [one, ...others] = swarm.machines
  await one!.engine.docker('node', 'promote', ...others.map(({ name }) => name))
  const script = path.join(mkdtempSync(path.join(tmpdir(), 'script-')), 'counter.mjs')
  // Another user runs it.
  chmodSync(path.dirname(script), 0o755)
  writeFileSync(script, COUNTER)
  controller = await SwarmController.open(swarm, script)
  await answering()
  await controller.signIn()
  const made = await controller.ask('POST', '/servers', {
    ...{ name: 'One', software: { id: 'counter', version: '1' }, memoryMb: 256, openTo: 'network' },
  })
  serverId = (made as { id: string }).id
})
afterAll(async () => {
  await controller?.close()
  await swarm?.close()
})

/** Resolves once it answers, wherever. */
async function answering(): Promise<void> {
  while (
    !(await controller.ask('GET', '').then(
      () => true,
      (error: unknown) => String(error).includes(': 4'),
    ))
  )
    await wait(200)
}

async function until(wanted: string): Promise<void> {
  for (;;) {
    const { status } = (await controller.ask('GET', `/servers/status/${serverId}`)) as { status: string }
    if (status === wanted) return
    if (status === 'crashed')
      throw new Error(JSON.stringify(await controller.ask('GET', `/servers/console/${serverId}`)))
    await wait(100)
  }
}

/** The numbers it has said, as its console has them. */
async function numbers(): Promise<number[]> {
  const said: number[] = []
  for (let before = ''; ;) {
    const { items } = (await controller.ask('GET', `/servers/console/${serverId}?limit=500${before}`)) as {
      items: { id: string; text: string }[]
    }
    said.unshift(...items.flatMap(({ text }) => /^line (\d+)$/.exec(text)?.[1] ?? []).map(Number))
    if (items.length < 500) return said
    before = `&before=${encodeURIComponent(items[0]!.id)}`
  }
}

async function only(): Promise<{ machine: SwarmMachine; id: string }> {
  const running = await controller.running()
  expect(running).toHaveLength(1)
  return running[0]!
}

const serverRuns = async ({ engine }: SwarmMachine) =>
  engine.docker('ps', '-q', '--filter', `name=${serverId}`, '--filter', 'status=running')

test(
  'the swarm starts it elsewhere when its machine is cut off, servers run on, and no line is missing',
  async () => {
    const first = await only()
    const node = swarm.machines.find(({ name }) => name !== first.machine.name)!
    await controller.ask('PATCH', `/servers/config/${serverId}`, { node: node.name })
    await controller.ask('POST', `/servers/power/${serverId}`, { action: 'start' })
    await until('online')
    const container = await serverRuns(node)

    first.machine.cut()
    await expect
      .poll(async () => (await controller.running()).some(({ machine }) => machine !== first.machine), {
        timeout: MOVED_MS,
      })
      .toBe(true)
    await answering()
    // The one that was cut off reached the storage all the time, and has left it.
    const second = await only()
    expect(second.machine.name).not.toBe(first.machine.name)
    await until('online')
    expect(await serverRuns(node)).toBe(container)
    first.machine.join()

    const said = await numbers()
    expect(said).toEqual(said.map((_, at) => at))
    await expect.poll(async () => (await numbers()).length).toBeGreaterThan(said.length)
  },
  2 * MOVED_MS,
)

test(
  'one that was frozen is followed, and ends when it wakes, before it writes again',
  async () => {
    await expect
      .poll(async () => swarm.machines[0]!.engine.docker('node', 'ls', '--format', '{{.Status}}'), {
        timeout: MOVED_MS,
      })
      .toBe('Ready\nReady\nReady')
    const first = await only()
    await first.machine.engine.docker('pause', first.id)
    first.machine.cut()
    await expect
      .poll(async () => (await controller.running()).some(({ machine }) => machine !== first.machine), {
        timeout: MOVED_MS,
      })
      .toBe(true)
    await answering()
    await until('online')
    const claims = readdirSync(path.join(controller.data, 'claims'))
    await first.machine.engine.docker('unpause', first.id)
    await expect.poll(async () => (await controller.running()).map(({ id }) => id)).not.toContain(first.id)
    expect(readdirSync(path.join(controller.data, 'claims'))).toEqual(claims)
    expect(await first.machine.engine.docker('inspect', '--format', '{{.State.ExitCode}}', first.id)).toBe(
      '137',
    )
    first.machine.join()

    const said = await numbers()
    expect(said).toEqual(said.map((_, at) => at))
    await controller.ask('POST', `/servers/power/${serverId}`, { action: 'stop' })
    await until('offline')
  },
  2 * MOVED_MS,
)
