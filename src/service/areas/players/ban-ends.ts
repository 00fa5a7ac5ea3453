import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { BANS_AT_ONCE, type TimedBan } from '../../store/players.ts'
import type { PlayerActs } from './player-acts.ts'
import type { ServerPlayers } from './server-players.ts'

/** How often it is looked whether a ban is over, in ms. */
const LOOK_MS = 5000

export interface BanEndsPorts {
  store: Pick<Store, 'players'>
  players: ServerPlayers
  acts: PlayerActs
  clock: Clock
  log: Logger
  /** A ban was lifted because its time was over; `accepted`: the server was told to, and did not say what came of it. */
  lifted: (serverId: string, name: string, result: 'done' | 'accepted') => void
}

/** Lifts bans whose end a running server was not told of. */
export class BanEnds {
  readonly #ports: BanEndsPorts
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | null = null
  /** Up to where the last look came: what cannot be lifted does not stand before all others. */
  #last: TimedBan | undefined
  /** Bans that a server was told to lift, and of which it did not say what came of it. */
  readonly #unsaid = new Set<string>()
  #closed = false

  constructor(ports: BanEndsPorts) {
    this.#ports = ports
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref()
  }

  /** Lifts what is over. What cannot be lifted now, as while a server starts, is tried again. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) =>
        this.#ports.log.warn({ err: error }, 'bans that are over could not be found'),
      )
      .finally(() => (this.#looking = null))
    return this.#looking
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    const { store, clock, log } = this.#ports
    const ended = store.players.bansEnded(clock.now(), this.#last)
    this.#last = ended.length < BANS_AT_ONCE ? undefined : ended.at(-1)
    for (const ban of ended) {
      if (this.#closed) return
      await this.#lift(ban).catch((error: unknown) => {
        log.debug({ err: error, serverId: ban.serverId }, 'a ban could not be lifted yet')
      })
    }
  }

  async #lift(ban: TimedBan): Promise<void> {
    const { players, acts, lifted } = this.#ports
    const { serverId, uuid, name, created } = ban
    const list = await players.lists(serverId).read(players.files(serverId), 'bans')
    // A damaged list says nothing of who is banned.
    if (list.kind === 'damaged') return
    const entry = list.entries.find((one) => one.uuid === uuid)
    // Somebody has lifted it, and perhaps banned the player anew: that is not ours to lift.
    if (entry?.created !== created) return this.#drop(ban)
    const named = entry.name ?? name
    const act = { action: 'pardon' as const, names: [named] }
    const { results } = await acts.perform(serverId, { act, checkAgain: () => {} })
    const outcome = results[0]?.outcome
    const isSaid = this.#unsaid.has(uuid + serverId)
    if (outcome === 'done') lifted(serverId, named, 'done')
    // It is tried until the list says that it is so; that it was begun is told once.
    if (outcome === 'unconfirmed' && !isSaid) {
      this.#unsaid.add(uuid + serverId)
      lifted(serverId, named, 'accepted')
    }
    if (outcome === 'done' || outcome === 'unchanged') this.#drop(ban)
  }
  #drop({ serverId, uuid }: TimedBan): void {
    this.#unsaid.delete(uuid + serverId)
    this.#ports.store.players.dropBan(serverId, uuid)
  }
}
