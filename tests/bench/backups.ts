import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { NO_RESTIC, restic } from '../../src/service/backups/restic/restic.fixture.ts'
import { Chance } from '../faults/chance.ts'
import { Host } from '../faults/host.ts'
import { Servers } from '../faults/servers.ts'
import { Stage } from '../faults/stage.ts'
import { profiled } from './measured.ts'
import { watchMemory } from './memory.ts'
import { inTurns, ratioOf, type Rounds, tookOf } from './pairs.ts'
import { benchRulesAndSleep } from './rules-and-sleep.ts'
import type { Figure, Outcome } from './table.ts'

const MB = 1024 * 1024
/** 1 GiB. */
const REGIONS = 128
const REGION_BYTES = 8 * MB
const SECTOR = 4096
/** 5 % of them. */
const CHANGED = Math.round(REGIONS * 0.05)
const ROUNDS = 3
const ONE = 'world/region/r.7.0.mca'
const KEEP = { last: 100, hourly: 0, daily: 0, weekly: 0, monthly: 0 }
/** How often others ask, and for how long without a backup, in ms. */
const ASK_EVERY = 10
const LOOK = 5000

type Engine = 'archive' | 'restic'

/** What a backup of 1 GiB costs beside the bare work, and what others wait for meanwhile; then what rules and sleep cost. */
export async function benchBackups(): Promise<Outcome> {
  const stage = await Stage.open()
  try {
    const bench = await World.open(stage)
    const archive = await bench.measure('archive', () => bench.bareArchive())
    const withRestic = restic ? await bench.measure('restic', () => bench.bareRestic()) : []
    if (!restic) process.stderr.write(`  ${NO_RESTIC}\n`)
    await bench.host.end()
    const idle = await benchRulesAndSleep(stage)
    return { bench: 'backups', lost: bench.lost, figures: [...archive, ...withRestic, ...idle] }
  } finally {
    await stage.close()
  }
}

class World {
  readonly host: Host
  lost = 0
  readonly #stage: Stage
  readonly #servers: Servers
  readonly #chance = new Chance(1, 'world')

  private constructor(stage: Stage, servers: Servers) {
    this.host = servers.host
    this.#stage = stage
    this.#servers = servers
  }

  static async open(stage: Stage): Promise<World> {
    const { NODE_OPTIONS: profile = '' } = profiled('backups')
    const watch = path.join(import.meta.dirname, 'loop-watch.js')
    const host = await Host.start(stage, {
      environment: { NODE_OPTIONS: `${profile} --import ${watch}`, WHEELHOUSE_LOOP: stage.at('loop') },
    })
    const world = new World(stage, await Servers.of(host))
    await mkdir(world.#at('world/region'), { recursive: true })
    for (let at = 0; at < REGIONS; at++) await world.#write(at)
    return world
  }

  #at(name: string): string {
    return path.join(this.#servers.folderOf(this.host.serverId), name)
  }

  /** As the game writes them: packed chunks, each filled up with zeros to whole sectors. */
  async #write(region: number): Promise<void> {
    const bytes = this.#chance.bytes().update(Buffer.alloc(REGION_BYTES))
    for (let at = 2 * SECTOR; at < bytes.length;) {
      const packed = this.#chance.between(2500, 7500)
      const end = Math.min(bytes.length, at + Math.ceil(packed / SECTOR) * SECTOR)
      bytes.fill(0, Math.min(end, at + packed), end)
      at = end
    }
    await using file = await open(this.#at(`world/region/r.${region}.0.mca`), 'w')
    await file.writeFile(bytes)
  }

  async measure(engine: Engine, bare: () => Promise<number>): Promise<Figure[]> {
    const { serverId, pid } = this.host
    await this.#servers.ask('PATCH', `/servers/backups/settings/${serverId}`, { engine, keep: KEEP })
    const rounds = await inTurns(
      `1 GiB by ${engine}`,
      {
        limit: bare,
        ours: async () => {
          await this.#forget()
          return timed(() => this.#backUp())
        },
      },
      ['limit'],
      { fewest: ROUNDS, patienceMs: 0 },
    )
    // By itself: asking all the time would slow it down.
    const quiet = await this.#waits(() => after(LOOK))
    let longest = 0
    const watched = async () => void (longest = await this.#waits(() => this.#backUp()))
    await this.#forget()
    process.kill(pid, 'SIGUSR2')
    const memory = await watchMemory(pid, watched)
    process.kill(pid, 'SIGUSR2')
    await after(500)
    const atOnce = Number(await readFile(this.#stage.at('loop'), 'utf8'))
    const one = await this.#readOne()
    for (let at = 0; at < CHANGED; at++) await this.#write(at * 20)
    const second = await timed(() => this.#backUp())
    return [
      ratioFor(engine, rounds),
      figure(`second backup by ${engine} after 5 % changed`, second, 'ms', {
        note: `the first took ${tookOf(rounds, 'ours').toFixed(0)} ms`,
      }),
      figure(`one file of 8 MiB back by ${engine}`, one, 'ms', { target: 1500 }),
      figure(`longest work of the service at one go meanwhile, ${engine}`, atOnce, 'ms', {
        ...{ target: 50, note: 'processor time of its main thread' },
      }),
      figure(`longest wait of others meanwhile, ${engine}`, longest, 'ms', {
        target: 50,
        note: `asked every ${ASK_EVERY} ms; without a backup ${quiet.toFixed(1)} ms`,
      }),
      figure(`memory of the service meanwhile, ${engine}`, (memory.peak - memory.before) / 1e6, 'MB', {
        ...{ target: 60, note: `at most above the ${(memory.before / 1e6).toFixed(0)} MB before` },
      }),
    ]
  }

  async #backUp(): Promise<void> {
    const route = `/servers/backups/${this.host.serverId}`
    const { id } = (await this.#servers.ask('POST', route, {})) as { id: string }
    for (;;) {
      const { items } = (await this.#servers.ask('GET', route)) as { items: { id: string; state: string }[] }
      const state = items.find((one) => one.id === id)?.state
      if (state === 'done') return
      if (state === 'failed') throw new Error('A backup failed.')
      await after(50)
    }
  }

  /** The longest answer, in ms, while something is done. */
  async #waits(work: () => Promise<unknown>): Promise<number> {
    let [longest, isOver] = [0, false]
    const asking = (async () => {
      while (!isOver) {
        const ask = () => this.#servers.ask('GET', `/servers/status/${this.host.serverId}`)
        longest = Math.max(longest, await timed(ask))
        await after(ASK_EVERY)
      }
    })()
    await work()
    isOver = true
    await asking
    return longest
  }

  async #readOne(): Promise<number> {
    const { items } = (await this.#servers.ask('GET', `/servers/backups/${this.host.serverId}`)) as {
      items: { id: string }[]
    }
    const query = `backup=${items[0]!.id}&path=${encodeURIComponent(ONE)}`
    const route = `/servers/backups/content/${this.host.serverId}?${query}`
    return timed(async () => {
      const bytes = await this.#servers.bytes(route)
      if (bytes.length !== REGION_BYTES) this.lost += 1
    })
  }

  /** The next one is the first. */
  async #forget(): Promise<void> {
    const folder = path.join(this.host.data, 'backups', this.host.serverId)
    const names = existsSync(folder) ? await readdir(folder) : []
    for (const name of names.filter((one) => one !== 'restic')) await rm(path.join(folder, name))
    for (const name of ['repository', 'lists'])
      await rm(path.join(folder, 'restic', name), { recursive: true, force: true })
  }

  async bareArchive(): Promise<number> {
    const to = this.#stage.at('bare.tar.zst')
    const took = await timed(() =>
      ends('sh', ['-c', 'tar -c . | zstd -q -3 > "$0" && sync "$0"', to], this.#at('')),
    )
    await rm(to)
    return took
  }

  /** As ours: behind games, and with the making of the repository. */
  async bareRestic(): Promise<number> {
    const repository = this.#stage.at('bare')
    const env = {
      ...{ PATH: process.env.PATH, RESTIC_REPOSITORY: repository, RESTIC_PASSWORD: 'bare' },
      RESTIC_CACHE_DIR: this.#stage.at('bare-cache'),
    }
    const took = await timed(async () => {
      await ends(restic!.executable, ['init', '-q'], this.#at(''), env)
      await ends(restic!.executable, ['backup', '-q', '--host', 'bare', this.#at('')], this.#at(''), env)
    })
    await rm(repository, { recursive: true })
    return took
  }
}

const ratioFor = (engine: Engine, rounds: Rounds<'limit' | 'ours'>): Figure =>
  ratioOf(rounds, 'ours', 'limit', {
    name: `backup of 1 GiB by ${engine} ÷ bare`,
    ...(engine === 'archive'
      ? { target: 1.25, limitIs: '`tar | zstd -3`, on the disk' }
      : { target: 1.15, limitIs: '`restic init` and `backup`' }),
  })

const figure = (name: string, value: number, unit: Figure['unit'], more: Partial<Figure> = {}): Figure => ({
  ...{ name, value, unit },
  ...more,
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function ends(file: string, args: string[], cwd: string, env = process.env): Promise<void> {
  const program = spawn(file, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (file !== 'sh') setPriority(program.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
  const code = await new Promise((resolve) => program.once('close', resolve))
  if (code !== 0) throw new Error(`${file} ended with exit code ${String(code)}.`)
}
