import type { EventName } from '../../contract/areas/console.ts'
import { HEARTBEAT_MS, PushedEvents, toEvent } from '../http/pushed-events.ts'
import type { Cursor, Piece } from './console/cursor.ts'
import type { LinePosition } from './console/line-id.ts'
import type { Change, ManagedServer } from './managed-server.ts'
import type { FileJobInput } from './types.ts'

const JOBS_DUE = 50
const LINES_MAX = 1_000
const BURST = 16
/** Beyond the burst, one event per this many ms; lines are batched meanwhile. */
const EVENT_MS = 4
/** How long a command's line waits for the server's reply, in ms. */
const ANSWERED_MS = 3

const CHANGED_MS = 1000

type KindsOf = (serverId: string) => ReadonlySet<EventName>

export interface Reader {
  accountId: string
  /** Changes made with this sign-in aren't reported back to it. */
  tokenHash: string
  /** Checked periodically. If the result differs or it throws, the stream ends and the client reconnects. */
  kindsOf: KindsOf
  /** Only changes to readable data are reported. */
  mayRead: (serverId: string, readId: string) => boolean
}

export interface StreamSubscription {
  server: ManagedServer
  kinds: ReadonlySet<EventName>
  /** `now`: from the next line on; `none`: no lines. */
  lines: { after: LinePosition } | 'now' | 'none'
}

interface Channel {
  server: ManagedServer
  kinds: ReadonlySet<EventName>
  cursor: Cursor | null
  /** Bounded: only the newest state is sent. */
  due: Set<Change>
  /** Newest state by job id. */
  jobs: Map<string, FileJobInput>
  changed: Set<string>
  changedAt: number
  stops: (() => void)[]
}

/** One event stream over several servers, which take turns. A stalled reader costs only its cursors. */
export class EventStream extends PushedEvents {
  readonly #channels: Channel[]
  readonly reader: Reader
  #turn = 0
  #quietSince = performance.now()
  #checkAt = performance.now() + HEARTBEAT_MS
  #burst = BURST
  /** The last event was full, so waiting would gain nothing. */
  #full = false

  constructor(watched: readonly StreamSubscription[], reader: Reader) {
    super()
    this.reader = reader
    this.#channels = watched.map(({ server, kinds, lines }) => {
      const cursor = lines === 'none' ? null : server.console.cursor(lines === 'now' ? null : lines.after)
      const channel: Channel = {
        server,
        kinds,
        cursor,
        due: new Set(['status', 'players', 'stats']),
        jobs: new Map(server.jobs.now),
        changed: new Set(),
        changedAt: 0,
        stops: [],
      }
      channel.stops.push(
        server.changes.on((change) => {
          channel.due.add(change)
          this.wake()
        }),
        server.jobs.changes.on((job) => {
          channel.jobs.delete(job.id)
          channel.jobs.set(job.id, job)
          // Slow readers lose the oldest jobs, which they can request.
          const [oldest] = channel.jobs.size > JOBS_DUE ? channel.jobs.keys() : []
          if (oldest !== undefined) channel.jobs.delete(oldest)
          this.wake()
        }),
      )
      if (cursor)
        channel.stops.push(
          server.console.onAppend((source) => (source === 'command' ? this.#wakeSoon() : this.wake())),
        )
      return channel
    })
    this.onEnd(() => {
      for (const channel of this.#channels) for (const stop of channel.stops.splice(0)) stop()
    })
  }

  /** A server was deleted. The stream ends if it had no other. */
  leaveOut(serverId: string): void {
    const at = this.#channels.findIndex((channel) => channel.server.spec.id === serverId)
    if (at < 0) return
    for (const channel of this.#channels.splice(at, 1)) for (const stop of channel.stops) stop()
    const news = toEvent('changed', { serverId, reads: ['servers.list'] })
    if (this.#channels.length === 0) this.end(news)
    else this.tell(news)
  }

  /** Reports stale reads soon, limited to what the reader may read. */
  tellChanged(serverId: string, reads: readonly string[]): void {
    const channel = this.#channels.find(({ server }) => server.spec.id === serverId)
    if (!channel?.kinds.has('changed')) return
    for (const read of reads)
      if (!channel.changed.has(read) && this.#mayRead(serverId, read)) channel.changed.add(read)
    if (channel.changed.size > 0) this.wake()
  }

  /** Permissions changed. If that affects the events, the stream ends and the client reconnects. */
  standingChanged(serverId: string, reads: readonly string[]): void {
    const channel = this.#channels.find(({ server }) => server.spec.id === serverId)
    if (!channel) return
    if (!this.#mayStill()) return this.end(toEvent('changed', { serverId, reads }))
    for (const read of reads) channel.changed.add(read)
    this.wake()
  }

  recheck(): void {
    if (!this.#mayStill()) this.end()
  }

  protected async next(): Promise<Buffer | null> {
    for (;;) {
      if (this.ended) return null
      if (performance.now() >= this.#checkAt) {
        this.recheck()
        if (this.ended) return null
        this.#checkAt = performance.now() + HEARTBEAT_MS
      }
      const pause = this.#pause()
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      const event = await this.#event()
      if (this.ended) return null
      if (event) {
        this.#quietSince = performance.now()
        return event
      }
      if (this.#hasNews()) continue
      const later = Math.min(...this.#channels.map((channel) => untilChanged(channel)))
      if (!(await this.wait(Math.min(later, HEARTBEAT_MS))) && later >= HEARTBEAT_MS) return null
    }
  }

  /** Waits briefly for the server's reply, so a page draws both together. */
  #wakeSoon(): void {
    setTimeout(() => this.wake(), ANSWERED_MS)
  }

  #mayStill(): boolean {
    try {
      return this.#channels.every(({ server, kinds }) => {
        const now = this.reader.kindsOf(server.spec.id)
        return now.size === kinds.size && [...kinds].every((kind) => now.has(kind))
      })
    } catch {
      return false
    }
  }

  /** A failing check means no; it must not fail the change itself. */
  #mayRead(serverId: string, read: string): boolean {
    try {
      return this.reader.mayRead(serverId, read)
    } catch {
      return false
    }
  }

  #pause(): number {
    if (this.#full) return 0
    const quiet = performance.now() - this.#quietSince
    this.#burst = Math.min(BURST, this.#burst + quiet / EVENT_MS)
    if (this.#burst >= 1) {
      this.#burst--
      return 0
    }
    return EVENT_MS
  }

  #hasNews(): boolean {
    return this.#channels.some(
      (channel) =>
        channel.due.size > 0 || channel.jobs.size > 0 || untilChanged(channel) === 0 || channel.cursor?.ready,
    )
  }

  async #event(): Promise<Buffer | null> {
    for (let turns = 0; turns < this.#channels.length; turns++) {
      const channel = this.#channels[this.#turn++ % this.#channels.length]!
      const event =
        this.#news(channel) ??
        (channel.cursor ? await this.#lines(channel.server.spec.id, channel.cursor) : null)
      // The server may have been deleted during the read.
      if (event && this.#channels.includes(channel)) return event
    }
    return null
  }

  #news(channel: Channel): Buffer | null {
    const { server, kinds, due, jobs } = channel
    const changed = untilChanged(channel) === 0
    if (due.size === 0 && jobs.size === 0 && !changed) return null
    let text = ''
    const serverId = server.spec.id
    if (kinds.has('status') && due.has('status'))
      text += toEvent('status', { serverId, status: server.status() })
    if (kinds.has('players') && due.has('players'))
      text += toEvent('players', { serverId, players: server.online.all })
    const stats = kinds.has('stats') && due.has('stats') ? server.stats.newest : null
    if (stats) text += toEvent('stats', { serverId, stats })
    if (kinds.has('job')) for (const job of jobs.values()) text += toEvent('job', { serverId, job })
    if (changed) {
      text += toEvent('changed', { serverId, reads: [...channel.changed] })
      channel.changed.clear()
      channel.changedAt = performance.now() + CHANGED_MS
    }
    due.clear()
    jobs.clear()
    return text === '' ? null : Buffer.from(text)
  }

  async #lines(serverId: string, cursor: Cursor): Promise<Buffer | null> {
    // Pieces from memory are synchronous; awaiting them would cost a turn each.
    const read = cursor.read(LINES_MAX)
    const piece = read instanceof Promise ? await read : read
    this.#full = cursor.ready
    return piece && encode(serverId, piece)
  }
}

const untilChanged = ({ changed, changedAt }: Channel): number =>
  changed.size === 0 ? Infinity : Math.max(0, changedAt - performance.now())

const END = Buffer.from(']}\n\n')

function encode(serverId: string, piece: Piece): Buffer {
  if (piece.kind === 'gap') return Buffer.from(toEvent('gap', { serverId, from: piece.from, to: piece.to }))
  const start = Buffer.from(`event: lines\ndata: {"serverId":${JSON.stringify(serverId)},"lines":[`)
  return Buffer.concat([start, piece.bytes, END])
}
