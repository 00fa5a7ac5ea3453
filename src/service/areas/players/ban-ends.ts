import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { BANS_AT_ONCE, type TimedBan } from '../../store/players.ts'
import type { PlayerActs } from './player-acts.ts'
import type { ServerPlayers } from './server-players.ts'

const LOOK_MS = 5000

export interface BanEndsPorts {
  store: Pick<Store, 'players'>
  players: ServerPlayers
  acts: PlayerActs
  clock: Clock
  log: Logger
  /** `accepted`: the server gave no answer. */
  lifted: (serverId: string, name: string, result: 'done' | 'accepted') => void
}

/** Lifts expired bans that the running server does not know to be temporary. */
export class BanEnds {
  readonly #ports: BanEndsPorts
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | null = null
  /** Position in the list, so that bans that cannot be lifted do not block the rest. */
  #last: TimedBan | undefined
  /** Bans lifted without an answer from the server. */
  readonly #unsaid = new Set<string>()
  #closed = false

  constructor(ports: BanEndsPorts) {
    this.#ports = ports
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref()
  }

  /** Retries failures, for example while a server starts. Never rejects. */
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
    if (list.kind === 'damaged') return
    const entry = list.entries.find((one) => one.uuid === uuid)
    // Lifted meanwhile, perhaps banned anew: not ours to lift.
    if (entry?.created !== created) return this.#drop(ban)
    const named = entry.name ?? name
    const act = { action: 'pardon' as const, names: [named] }
    const { results } = await acts.perform(serverId, { act, checkAgain: () => {} })
    const outcome = results[0]?.outcome
    const isSaid = this.#unsaid.has(uuid + serverId)
    if (outcome === 'done') lifted(serverId, named, 'done')
    // Retried until the list confirms it, but reported once.
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
