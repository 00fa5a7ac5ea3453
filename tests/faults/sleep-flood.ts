import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { watchMemory } from '../bench/memory.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import { askToJoin, framed, handshake, varInt } from '../fixtures/raw-game.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'
import { Servers } from './servers.ts'
import { listens } from './sleeps.ts'

const MB = 1_000_000
const EACH_SECOND = 1000
/** Of them, those that say nothing, or not all. */
const SILENT = 0.1
const STEP_MS = 10
const MORE_MEMORY = 60 * MB
/** So many addresses that no limit per address stops the flood. */
const ADDRESSES = process.platform === 'linux' ? 250 : 1
const PATIENCE = 20_000

interface Address {
  host: string
  port: number
}

/** A thousand pings a second, and connections that stay half open: a sleeping server sleeps on, and a player wakes it all the same. */
export async function sleepFlooded(it: Case): Promise<void> {
  const host = await Host.start(it.stage)
  const servers = await Servers.of(host)
  const id = host.serverId
  await servers.ask('PATCH', `/servers/config/${id}`, { sleep: { afterMinutes: 60, wake: 'anybody' } })
  await servers.ask('POST', `/servers/port/${id}`, { port: ownPort() })
  await host.end()
  await writeFile(path.join(host.data, 'sleeping', id), '')
  await host.start()
  const { address } = (await servers.ask('GET', `/servers/${id}`)) as { address: Address }
  await listens(address)

  const flood = new Flood(it, address)
  const { before, peak } = await watchMemory(host.pid, async () => {
    const end = performance.now() + (it.long ? 60_000 : 5000)
    while (performance.now() < end) {
      await flood.step()
      const status = await servers.until(id, ['sleeping', 'starting', 'online'])
      if (status !== 'sleeping') throw new Error(`Pings have woken the server: it is ${status}.`)
    }
  })
  it.expect(peak - before < MORE_MEMORY, `The service takes ${mb(peak)} MB, before ${mb(before)} MB.`)
  it.tried += flood.begun
  it.note(
    `${flood.begun} connections came, ${Math.round(flood.perSecond)} a second; ${flood.answered} were answered. ` +
      `The service took ${mb(before)} MB before, ${mb(peak)} MB at most.`,
  )

  // While it goes on.
  const began = performance.now()
  const wake = { isOver: false }
  const joined = join(address).finally(() => (wake.isOver = true))
  while (!wake.isOver) await flood.step()
  flood.end()
  const heard = await joined
  it.expect(heard.includes('Waking up.'), `Who joined during the flood heard “${heard}”.`)
  it.note(`Who joined meanwhile was heard after ${Math.round(performance.now() - began)} ms.`)
  await servers.until(id, ['online'])
}

const mb = (bytes: number) => (bytes / MB).toFixed(0)

/** Tries until somebody answers, as people do. */
async function join(at: Address): Promise<string> {
  const end = performance.now() + PATIENCE
  for (;;) {
    const said = await askToJoin(at, 'Ada').catch(() => '')
    if (said !== '' || performance.now() > end) return said
    await after(100)
  }
}

class Flood {
  begun = 0
  answered = 0
  readonly #it: Case
  readonly #at: Address
  readonly #began = performance.now()
  readonly #open = new Set<Socket>()

  constructor(it: Case, at: Address) {
    this.#it = it
    this.#at = at
  }

  get perSecond(): number {
    return this.begun / ((performance.now() - this.#began) / 1000)
  }

  /** As many as are due. */
  async step(): Promise<void> {
    const due = Math.floor(((performance.now() - this.#began) / 1000) * EACH_SECOND)
    // What a busy computer was late with is not caught up at once.
    for (const end = Math.min(due, this.begun + EACH_SECOND / 10); this.begun < end; this.begun++) this.#one()
    await after(STEP_MS)
  }

  end(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #one(): void {
    const isSilent = this.#it.chance.next() < SILENT
    const from = ADDRESSES > 1 && { localAddress: `127.0.1.${1 + (this.begun % ADDRESSES)}` }
    const socket = connect({ ...this.#at, ...from })
    this.#open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#open.delete(socket))
    socket.on('data', () => {
      this.answered += 1
      socket.destroy()
    })
    const all = Buffer.concat([handshake(1), framed(varInt(0))])
    const part = all.subarray(0, this.#it.chance.between(0, all.length - 1))
    socket.on('connect', () => socket.write(isSilent ? part : all))
  }
}
