import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { Engine } from '../../src/service/runtime/containers/engine.ts'
import { DockerSwarm, type SwarmMachine } from '../fixtures/docker-swarm.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'
import type { Stage } from './stage.ts'

const NOBODY = { uid: 65534, gid: 65534 }
const SCRIPT = 'counter'

/** A stand-in for a game server that writes who it is into its world for as long as it runs. */
const WRITER = `
import { appendFileSync } from 'node:fs'
const who = process.pid + '@' + process.hrtime.bigint() + Math.random()
let at = 0
setInterval(() => appendFileSync('world.txt', who + ' ' + at++ + '\\n'), 20)
console.log('[00:00:00 INFO]: Done (0.1s)! For help, type "help"')
process.on('SIGTERM', () => process.exit(143))
process.stdin.on('data', (text) => { if (String(text).includes('stop')) process.exit(0) })`

const Containers = z.array(z.object({ Names: z.array(z.string()) }))

interface SeenStatus {
  status: string
  node?: { name: string; isGone: boolean }
}

/**
 * Machines of a Swarm are cut off, or lose their power, while a server is started, stopped, moved or runs: seen from the
 * machines themselves, it never runs twice, and its world is never written by two.
 */
export async function machinesLost(it: Case): Promise<void> {
  const { stage, chance } = it
  await stage.runAs(NOBODY)
  const swarm = await DockerSwarm.open()
  stage.atEnd(() => swarm.close())
  const [manager] = swarm.machines
  for (const { engine } of swarm.machines) engine.letAnybody()
  // Its engine is asked all the time; only the others are lost.
  await manager!.engine.docker('node', 'update', '--availability', 'drain', manager!.name)
  const host = await hostOn(swarm, stage)
  const token = await host.signIn()
  const id = host.serverId
  const ask = (method: string, route: string, body?: unknown) => host.ask(method, route, token, body)
  const status = async () => (await ask('GET', `/servers/status/${id}`)) as SeenStatus
  const power = (action: string) => ask('POST', `/servers/power/${id}`, { action }).catch(() => undefined)
  const pin = (node: string | null) => ask('PATCH', `/servers/config/${id}`, { node })
  await ask('PATCH', `/servers/config/${id}`, { openTo: 'network' })
  const online = () =>
    until('be online', async () => {
      const now = await status()
      if (['offline', 'crashed'].includes(now.status)) await power('start')
      return now.status === 'online' && now.node?.isGone !== true
    })
  const watch = watching(swarm, id)
  stage.atEnd(() => watch.end())

  for (let round = 0; round < (it.long ? 10 : 2); round++) {
    it.tried += 1
    await pin(null)
    await online()
    const node = (await status()).node!.name
    const machine = swarm.machines.find(({ name }) => name === node)!
    const act = chance.pick(['run', 'start', 'stop', 'move'])
    const isOff = chance.next() < 0.4
    if (act === 'start') {
      await power('stop')
      await until('be offline', async () => (await status()).status === 'offline')
      await pin(node)
      void power('start')
    }
    if (act === 'stop') void power('stop')
    if (act === 'move')
      await pin(swarm.machines.find(({ name }) => name !== node && name !== manager!.name)!.name)
    if (act === 'move') void power('restart')
    await wait(chance.between(0, 2500))
    await lose(machine, isOff)
    const begin = Date.now()
    await until('be told', async () => Date.now() - begin > 25_000 || (await status()).node?.isGone === true)
    const isLost = (await status()).node?.isGone === true
    if (isLost) {
      const refused = await ask('POST', `/servers/abandon/${id}`).then(() => null, String)
      it.expect(isOff === (refused === null), `${act}, ${isOff ? 'off' : 'cut off'}: ${refused}`)
      await pin(null)
      if (isOff) await online()
    }
    it.note(`${act}, ${isOff ? 'without power' : 'cut off'}: ${isLost ? 'lost' : 'not lost'}`)
    await give(machine, isOff)
    await until('have all machines', async () => (await readyOf(manager!)) === swarm.machines.length)
  }
  await pin(null)
  await online()
  await power('stop')
  await until('be offline', async () => (await status()).status === 'offline')
  await watch.end()
  it.expect(watch.twice === 0, `It was seen to run twice at once, ${watch.twice} times.`)
  const writers = writersOf(readFileSync(path.join(host.data, 'servers', id, 'world.txt'), 'utf8'))
  it.expect(new Set(writers).size === writers.length, 'Its world was written by two at once.')
  it.note(
    `${writers.length} runs of one server over ${it.tried} lost machines, looked at ${watch.looks} times`,
  )
  await host.end()
}

/** A service that runs servers on the machines. */
async function hostOn(swarm: DockerSwarm, stage: Stage): Promise<Host> {
  const script = stage.at(`${SCRIPT}.mjs`)
  writeFileSync(script, WRITER)
  const certificates = stage.at('certificates')
  mkdirSync(certificates)
  for (const [name, text] of Object.entries(swarm.settings.swarm!.tls))
    writeFileSync(path.join(certificates, `${name}.pem`), text)
  return Host.start(stage, {
    software: SCRIPT,
    environment: { WHEELHOUSE_SCRIPT: script },
    more: [
      ...['--docker', swarm.settings.address, '--docker-image', swarm.settings.image],
      ...['--docker-swarm', '--docker-certs', certificates],
    ],
  })
}

async function lose(machine: SwarmMachine, isOff: boolean): Promise<void> {
  const { engine } = machine
  machine.cut()
  if (!isOff) return
  const running = await engine.docker('ps', '-q')
  if (running !== '') await engine.docker('kill', ...running.split('\n'))
  await engine.end('SIGKILL')
}

async function give(machine: SwarmMachine, isOff: boolean): Promise<void> {
  if (isOff) await machine.engine.start()
  machine.engine.letAnybody()
  machine.join()
}

const readyOf = async ({ engine }: SwarmMachine): Promise<number> =>
  (await engine.docker('node', 'ls', '--format', '{{.Status}}')).split('\n').filter((one) => one === 'Ready')
    .length

/** Looks at every machine again and again, whether or not the others reach it. */
function watching(swarm: DockerSwarm, serverId: string) {
  const over = new AbortController()
  const engines = swarm.machines.map(({ engine }) => new Engine({ address: engine.address, tls: null }))
  const seen = { looks: 0, twice: 0 }
  const countOf = async (engine: Engine) =>
    (await engine.get('/containers/json', Containers).catch(() => [])).filter(({ Names }) =>
      Names.some((name) => name.includes(serverId)),
    ).length
  const done = (async () => {
    while (!over.signal.aborted) {
      const counts = await Promise.all(engines.map(countOf))
      seen.looks += 1
      if (counts.reduce((sum, count) => sum + count, 0) > 1) seen.twice += 1
      await wait(100)
    }
    await Promise.all(engines.map((engine) => engine.close()))
  })()
  return {
    end: () => (over.abort(), done),
    get looks() {
      return seen.looks
    },
    get twice() {
      return seen.twice
    },
  }
}

/** One for each unbroken row of lines. */
function writersOf(world: string): string[] {
  const all = world.split('\n').flatMap((line) => line.split(' ')[0] || [])
  return all.filter((who, at) => who !== all[at - 1])
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const late = Date.now() + 180_000
  while (!(await holds())) {
    if (Date.now() > late) throw new Error(`It did not come to ${what} within three minutes.`)
    await wait(200)
  }
}
