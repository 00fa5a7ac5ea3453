import type { z } from 'zod'
import type { events } from '../../contract/areas/console.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'
import { Listeners } from '../base/change.ts'

export type Players = z.input<typeof events.players>['players']

type PlayerSign = Extract<Sign, { name: string }>
type Passage = { kind: 'joined' | 'left'; name: string }

/** A player came, went or was identified; the address of somebody who joined; or the program ended. */
export type PlayerNews =
  Passage | Extract<Sign, { kind: 'known' }> | { kind: 'from'; from: string } | { kind: 'down' }

/** Players that are counted at most: a program can say of anybody that they joined, and each change tells all names. */
const PLAYERS_MOST = 1000

/** Somebody who is on, as the management protocol says it. */
export interface ToldPlayer {
  name: string
  uuid: string | null
}

/** Who plays on a server now: as its output says, or its management protocol while that is there. */
export class OnlinePlayers {
  /** How many the software lets in. */
  max: number
  /** What is said of players, one after the other. */
  readonly news = new Listeners<PlayerNews>()
  /** Who is on has changed. */
  readonly changed = new Listeners<void>()
  readonly #names = new Set<string>()
  /** The protocol says who is on: then the output is not heeded, which says the same a moment earlier or later. */
  #isTold = false
  /** Of those the protocol names, whom the output has said to be gone since. */
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

  /** From the program's output, which reports most joins and leaves twice. */
  heard(sign: PlayerSign): void {
    if ('from' in sign && sign.from !== undefined) this.news.tell({ kind: 'from', from: sign.from })
    if (sign.kind === 'known') return this.news.tell(sign)
    const { kind, name } = sign
    if (this.#isTold) return this.#remember({ kind, name })
    if (this.#names.has(name) === (kind === 'joined')) return
    this.#take({ kind, name })
    this.changed.tell()
  }

  /** The protocol says who all is on. From now on it is heeded, until `untold`. */
  told(players: readonly ToldPlayer[]): void {
    this.#isTold = true
    this.#saidGone.clear()
    const there = new Map(players.slice(0, PLAYERS_MOST).map((player) => [player.name, player]))
    const gone = [...this.#names].filter((name) => !there.has(name))
    const come = [...there.values()].filter(({ name }) => !this.#names.has(name))
    for (const name of gone) this.#take({ kind: 'left', name })
    for (const player of come) this.#greet(player)
    if (gone.length + come.length > 0) this.changed.tell()
  }

  /** The protocol says that somebody joined or left. */
  toldOne(kind: 'joined' | 'left', player: ToldPlayer): void {
    if (this.#names.has(player.name) === (kind === 'joined')) return
    if (kind === 'joined') this.#greet(player)
    else this.#take({ kind, name: player.name })
    this.changed.tell()
  }

  /** The protocol is gone: the output is heeded again, and what it said of those who left, which nobody says again. */
  untold(): void {
    this.#isTold = false
    const gone = [...this.#saidGone].filter((name) => this.#names.has(name))
    this.#saidGone.clear()
    for (const name of gone) this.#take({ kind: 'left', name })
    if (gone.length > 0) this.changed.tell()
  }

  /** The program has ended. */
  down(): void {
    const wasAnybody = this.#names.size > 0
    this.#names.clear()
    this.#saidGone.clear()
    this.news.tell({ kind: 'down' })
    if (wasAnybody) this.changed.tell()
  }

  /** What the protocol has not said yet, and will not where it breaks off now. */
  #remember({ kind, name }: Passage): void {
    if (kind === 'left' && this.#names.has(name)) this.#saidGone.add(name)
    else this.#saidGone.delete(name)
  }

  #greet({ name, uuid }: ToldPlayer): void {
    if (uuid !== null) this.news.tell({ kind: 'known', name, uuid })
    this.#take({ kind: 'joined', name })
  }

  #take(passage: Passage): void {
    this.#saidGone.delete(passage.name)
    if (passage.kind === 'left') this.#names.delete(passage.name)
    else if (this.#names.size >= PLAYERS_MOST) return
    else this.#names.add(passage.name)
    this.news.tell(passage)
  }
}
