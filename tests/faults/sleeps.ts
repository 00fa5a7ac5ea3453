import { realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { ownPort } from '../fixtures/game-ports.ts'
import { askToJoin } from '../fixtures/raw-game.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'
import { OneOfEach } from './one-of-each.ts'
import { Servers } from './servers.ts'

const RULE = { afterMinutes: 1, wake: 'anybody' }

/**
 * The service ends without a word while a server sleeps, and while it wakes; started again, the server sleeps or is off,
 * nothing of it runs on, and whoever joins one that sleeps wakes it.
 */
export async function sleepKilled(it: Case): Promise<void> {
  const host = await Host.start(it.stage)
  const servers = await Servers.of(host)
  const id = host.serverId
  await servers.ask('PATCH', `/servers/config/${id}`, { sleep: RULE })
  await servers.ask('POST', `/servers/port/${id}`, { port: ownPort() })
  const { address } = (await servers.ask('GET', `/servers/${id}`)) as {
    address: { host: string; port: number }
  }
  const strike = async () => {
    host.signalKill()
    await host.ended()
    it.tried += 1
  }
  const joins = async () => {
    const heard = await askToJoin(address, 'Ada')
    it.expect(heard.includes('Waking up.'), `Who joined a sleeping server heard “${heard}”.`)
  }
  const watch = new OneOfEach([await realpath(servers.folderOf(id))])
  it.stage.atEnd(async () => watch.stop())
  let whole = 3000
  const ended = { sleeping: 0, offline: 0 }
  for (let round = 0; round < (it.long ? 20 : 3); round++) {
    // As it is while one sleeps: minutes without players would take minutes.
    await strike()
    await writeFile(path.join(host.data, 'sleeping', id), '')
    await host.start()
    await servers.until(id, ['sleeping'])
    await strike()
    await host.start()
    await servers.until(id, ['sleeping'])
    await listens(address)

    const began = performance.now()
    await joins()
    await after(it.chance.next() * whole * 1.2)
    await strike()
    await host.start()
    const status = await servers.until(id, ['sleeping', 'offline'])
    ended[status as keyof typeof ended] += 1
    if (status === 'sleeping') {
      await listens(address)
      await joins()
    } else await servers.power(id, 'start')
    const reached = await servers.until(id, ['online', 'crashed'])
    it.expect(reached === 'online', `Woken after the service was killed, the server is ${reached}.`)
    if (round === 0) whole = Math.min(whole, performance.now() - began)
    await servers.power(id, 'stop')
    await servers.until(id, ['offline'])
  }
  it.expect(watch.crowded.length === 0, 'Two programs of one server ran at once.')
  it.note(
    `Killed while it woke, the server slept on ${ended.sleeping} times and was off ${ended.offline} times.`,
  )
}

/** The service ends without a word while a server on which nobody plays falls asleep. */
export async function fallAsleepKilled(it: Case): Promise<void> {
  const quick = path.join(import.meta.dirname, '../fixtures/quick-minutes.js')
  const host = await Host.start(it.stage, { environment: { NODE_OPTIONS: `--import ${quick}` } })
  const servers = await Servers.of(host)
  const id = host.serverId
  const watch = new OneOfEach([await realpath(servers.folderOf(id))])
  it.stage.atEnd(async () => watch.stop())
  await servers.ask('PATCH', `/servers/config/${id}`, { sleep: RULE })
  await servers.ask('POST', `/servers/port/${id}`, { port: ownPort() })
  const { address } = (await servers.ask('GET', `/servers/${id}`)) as {
    address: { host: string; port: number }
  }
  let whole = 1000
  const ended = { sleeping: 0, offline: 0 }
  for (let round = 0; round < (it.long ? 20 : 1); round++) {
    await servers.power(id, 'start')
    await servers.until(id, ['online'])
    const began = performance.now()
    await servers.until(id, ['stopping', 'sleeping'])
    await after(it.chance.next() * whole)
    host.signalKill()
    await host.ended()
    it.tried += 1
    await host.start()
    const status = await servers.until(id, ['sleeping', 'offline'])
    ended[status as keyof typeof ended] += 1
    if (status === 'sleeping') {
      await listens(address)
      const heard = await askToJoin(address, 'Ada')
      it.expect(heard.includes('Waking up.'), `Who joined a sleeping server heard “${heard}”.`)
    } else await servers.power(id, 'start')
    const reached = await servers.until(id, ['online', 'crashed'])
    it.expect(reached === 'online', `After the kill the server is ${reached}.`)
    await servers.power(id, 'stop')
    await servers.until(id, ['offline'])
    whole = Math.min(whole, performance.now() - began)
  }
  it.expect(watch.crowded.length === 0, 'Two programs of one server ran at once.')
  it.expect(watch.used.length > 0, 'No program of the server was seen.')
  it.note(
    `Killed while it fell asleep, the server slept ${ended.sleeping} times and was off ${ended.offline} times.`,
  )
}

/** A service that starts listens for a sleeping server a moment later. */
export async function listens(at: { host: string; port: number }): Promise<void> {
  for (;;) {
    const isOpen = await askToJoin(at, '').then(
      () => true,
      () => false,
    )
    if (isOpen) return
    await after(20)
  }
}
