import type { z } from 'zod'
import type { events } from '../../contract/areas/console.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'
import { Listeners } from '../base/change.ts'

export type Players = z.input<typeof events.players>['players']

type PlayerSign = Extract<Sign, { name: string }>
type PresenceChange = { kind: 'joined' | 'left'; name: string }

export type PlayerNews =
  PresenceChange | Extract<Sign, { kind: 'known' }> | { kind: 'from'; from: string } | { kind: 'down' }

/** Servers can report any number of names, and each change sends all. */
const PLAYERS_MOST = 1000

export interface ReportedPlayer {
  name: string
  uuid: string | null
}

/** From the output, or from the management protocol while connected. */
export class OnlinePlayers {
  max: number
  readonly news = new Listeners<PlayerNews>()
  readonly changed = new Listeners<void>()
  readonly #names = new Set<string>()
  /** While the protocol is in use, the output is ignored: it reports the same with other timing. */
  #isTold = false
  /** Players the output has seen leave since, though the protocol still lists them. */
  readonly #saidGone = new Set<string>()

  constructor(max: number) {
    this.max = max
  }

  get count(): { online: number; max: number } {
    return { online: this.#names.size, max: this.max }
  }

  get all(): Players {
    return { ...this.count, names: [...this.#names] }
  }

  /** The output reports most joins and leaves twice. */
  heard(sign: PlayerSign): void {
    if ('from' in sign && sign.from !== undefined) this.news.tell({ kind: 'from', from: sign.from })
    if (sign.kind === 'known') return this.news.tell(sign)
    const { kind, name } = sign
    if (this.#isTold) return this.#remember({ kind, name })
    if (this.#names.has(name) === (kind === 'joined')) return
    this.#take({ kind, name })
    this.changed.tell()
  }

  /** What was said before this service began is no news. */
  recall(signs: readonly (Sign | null)[]): void {
    for (const sign of signs)
      if (sign?.kind === 'left') this.#names.delete(sign.name)
      else if (sign?.kind === 'joined' && this.#names.size < PLAYERS_MOST) this.#names.add(sign.name)
    this.changed.tell()
  }

  told(players: readonly ReportedPlayer[]): void {
    this.#isTold = true
    this.#saidGone.clear()
    const there = new Map(players.slice(0, PLAYERS_MOST).map((player) => [player.name, player]))
    const gone = [...this.#names].filter((name) => !there.has(name))
    const come = [...there.values()].filter(({ name }) => !this.#names.has(name))
    for (const name of gone) this.#take({ kind: 'left', name })
    for (const player of come) this.#greet(player)
    if (gone.length + come.length > 0) this.changed.tell()
  }

  toldOne(kind: 'joined' | 'left', player: ReportedPlayer): void {
    if (this.#names.has(player.name) === (kind === 'joined')) return
    if (kind === 'joined') this.#greet(player)
    else this.#take({ kind, name: player.name })
    this.changed.tell()
  }

  /** The protocol disconnected: use the output again, including leaves only it has seen. */
  untold(): void {
    this.#isTold = false
    const gone = [...this.#saidGone].filter((name) => this.#names.has(name))
    this.#saidGone.clear()
    for (const name of gone) this.#take({ kind: 'left', name })
    if (gone.length > 0) this.changed.tell()
  }

  down(): void {
    const wasAnybody = this.#names.size > 0
    this.#names.clear()
    this.#saidGone.clear()
    this.news.tell({ kind: 'down' })
    if (wasAnybody) this.changed.tell()
  }

  /** The protocol may disconnect before reporting these. */
  #remember({ kind, name }: PresenceChange): void {
    if (kind === 'left' && this.#names.has(name)) this.#saidGone.add(name)
    else this.#saidGone.delete(name)
  }

  #greet({ name, uuid }: ReportedPlayer): void {
    if (uuid !== null) this.news.tell({ kind: 'known', name, uuid })
    this.#take({ kind: 'joined', name })
  }

  #take(passage: PresenceChange): void {
    this.#saidGone.delete(passage.name)
    if (passage.kind === 'left') this.#names.delete(passage.name)
    else if (this.#names.size >= PLAYERS_MOST) return
    else this.#names.add(passage.name)
    this.news.tell(passage)
  }
}
