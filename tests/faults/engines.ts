import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DockerEngine } from '../fixtures/docker-engine.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'

const NOBODY = { uid: 65534, gid: 65534 }
const SCRIPT = 'counter'

/** A stand-in for a game server that never stops counting. */
const COUNTER = `
let at = 0
console.log('[00:00:00 INFO]: Done (0.1s)! For help, type "help"')
setInterval(() => { for (let n = 0; n < 20; n++) console.log('line', at++) }, 10)
process.stdin.on('data', (text) => { if (String(text).includes('stop')) process.exit(0) })`

/**
 * The service, and then its container engine, end without a word again and again while a server in a container floods
 * its console: it stays online, and no line is lost or comes twice.
 */
export async function enginesKilled(it: Case): Promise<void> {
  const { stage, chance } = it
  if (process.getuid?.() !== 0) return void it.skipped.push('Containers: only root can start an engine.')
  await stage.runAs(NOBODY)
  const docker = await DockerEngine.open(['--live-restore'])
  stage.atEnd(() => docker.close())
  docker.letAnybody()
  const script = stage.at(`${SCRIPT}.mjs`)
  writeFileSync(script, COUNTER)
  const host = await Host.start(stage, {
    software: SCRIPT,
    environment: { WHEELHOUSE_SCRIPT: script },
    more: ['--docker', docker.address, '--docker-image', await docker.image()],
  })
  const token = await host.signIn()
  const status = async () =>
    ((await host.ask('GET', `/servers/status/${host.serverId}`, token)) as { status: string }).status
  await host.ask('POST', `/servers/power/${host.serverId}`, token, { action: 'start' })
  await until(async () => (await status()) === 'online')

  for (let round = 0; round < (it.long ? 20 : 2); round++) {
    it.tried += 1
    await wait(chance.between(50, 1500))
    host.signalKill()
    await host.ended()
    await wait(chance.between(0, 1000))
    await host.start()
    const now = await status()
    it.expect(now === 'online', `After it came back, the server was ${now}.`)
  }
  for (let round = 0; round < (it.long ? 5 : 1); round++) {
    it.tried += 1
    await wait(chance.between(50, 500))
    await docker.end('SIGKILL')
    await docker.start()
    docker.letAnybody()
    it.expect((await status()) === 'online', 'Without its engine, the server was not online.')
  }
  await wait(1000)
  await until(async () => {
    await host
      .ask('POST', `/servers/power/${host.serverId}`, token, { action: 'stop' })
      .catch(() => undefined)
    return (await status()) === 'offline'
  })
  await host.end()
  const texts = consoleOf(path.join(host.data, 'console', host.serverId))
  it.expect(!texts.some((text) => text.includes('crashed')), 'A crash was told.')
  compare(it, texts)
}

function compare(it: Case, texts: readonly string[]): void {
  const numbers = texts.flatMap((text) => (text.startsWith('line ') ? [Number(text.slice(5))] : []))
  const seen = new Set(numbers)
  const most = Math.max(...numbers)
  for (let at = 0; at <= most; at++) if (!seen.has(at)) it.lost.push(`line ${at}`)
  if (seen.size < numbers.length) it.doubled.push(`${numbers.length - seen.size} lines`)
  it.expect(
    numbers.every((number, at) => at === 0 || number > numbers[at - 1]!),
    'Lines came in another order.',
  )
  it.note(`${numbers.length} lines of a console, over ${it.tried} kills`)
}

/** All that was kept, oldest first. */
function consoleOf(folder: string): string[] {
  const parts = readdirSync(folder)
    .map((name) => ({ name, place: name.replace('.log', '').split('-').map(Number) }))
    .sort((a, b) => a.place[0]! - b.place[0]! || a.place[1]! - b.place[1]!)
  return parts.flatMap(({ name }) =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => (JSON.parse(line) as { text: string }).text),
  )
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const late = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > late) throw new Error('It did not come to that within a minute.')
    await wait(100)
  }
}
