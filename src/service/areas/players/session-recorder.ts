import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { PlayersTable } from '../../store/players.ts'
import { originOf } from '../../base/game-host.ts'
import type { Store } from '../../store/store.ts'
import { asUuid } from '../../../contract/rules/game/player-uuid.ts'

/** Events are written in batches of this many ms. */
const GATHER_MS = 1000
/** Interval of extending open sessions, in ms; a power failure loses at most this much. */
const LASTING_MS = 60_000
/** Token bucket per server. */
const BURST = 500
const PER_SECOND = 20

type TableWrite = (table: PlayersTable) => void

/**
 * Records joins and leaves. Rate-limited, since programs may print anything; sessions without a recorded end finish
 * with their server.
 */
export class SessionRecorder {
  readonly #store: Pick<Store, 'players' | 'inOneStep'>
  readonly #clock: Clock
  readonly #log: Logger
  readonly #allowances = new Map<string, { left: number; at: number }>()
  readonly #open = new Set<string>()
  #due: TableWrite[] = []
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  readonly #lasting: NodeJS.Timeout
  readonly #stop: () => void

  constructor(
    store: Pick<Store, 'players' | 'inOneStep'>,
    runtime: Pick<Runtime, 'onPlayerNews'>,
    clock: Clock,
    log: Logger,
  ) {
    this.#store = store
    this.#clock = clock
    this.#log = log
    store.players.endAll()
    this.#stop = runtime.onPlayerNews((serverId, news) => {
      const at = clock.now()
      if (news.kind === 'down') {
        this.#allowances.delete(serverId)
        if (this.#open.delete(serverId)) this.#write(serverId, (table) => table.down(serverId, at))
        return
      }
      if (!this.#mayWrite(serverId)) return
      if (news.kind === 'from') {
        const kind = originOf(news.from)
        if (kind) this.#write(serverId, (table) => table.cameFrom(serverId, kind, at))
        return
      }
      const { name } = news
      const uuid = news.kind === 'known' ? asUuid(news.uuid) : null
      if (news.kind === 'joined') this.#open.add(serverId)
      this.#write(serverId, (table) => {
        table.seen(serverId, name, uuid, at)
        if (news.kind === 'joined') table.joined(serverId, name, at)
        if (news.kind === 'left') table.left(serverId, name, at)
      })
    })
    this.#lasting = setInterval(() => {
      if (this.#open.size > 0) this.#write(null, (table) => table.lasting(clock.now()))
    }, LASTING_MS).unref()
  }

  /** Events that cannot be written, as on a full disk, are logged and dropped. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const [due, changed] = [this.#due, this.#changed]
    if (due.length === 0) return
    this.#due = []
    this.#changed = new Set()
    try {
      this.#store.inOneStep(() => {
        for (const write of due) write(this.#store.players)
        for (const serverId of changed) {
          this.#store.players.trimSessions(serverId)
          this.#store.players.trimSeen(serverId)
        }
      })
    } catch (error) {
      this.#log.warn({ err: error, count: due.length }, 'news of players could not be written')
    }
  }

  close(): void {
    this.#stop()
    clearInterval(this.#lasting)
    this.flush()
  }

  #write(serverId: string | null, write: TableWrite): void {
    this.#due.push(write)
    if (serverId !== null) this.#changed.add(serverId)
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  #mayWrite(serverId: string): boolean {
    const now = this.#clock.elapsed()
    const before = this.#allowances.get(serverId) ?? { left: BURST, at: now }
    const left = Math.min(BURST, before.left + ((now - before.at) / 1000) * PER_SECOND)
    this.#allowances.set(serverId, { left: Math.max(0, left - 1), at: now })
    return left >= 1
  }
}
