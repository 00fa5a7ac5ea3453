import type { EventName } from '../../contract/areas/console.ts'
import { HEARTBEAT_MS, PushedEvents, toEvent } from '../http/pushed-events.ts'
import type { Cursor, Piece } from './console/cursor.ts'
import type { LinePosition } from './console/line-id.ts'
import type { Change, ManagedServer } from './managed-server.ts'
import type { FileJobIn } from './types.ts'

/** Jobs of one server that wait to be told to one reader. */
const JOBS_DUE = 50
/** Lines in one event, at most. */
const LINES_MAX = 1_000
/** Events that may follow each other without a pause, after a quiet while. */
const BURST = 16
/** Beyond the burst, one event in so many milliseconds: lines gather meanwhile and go out together. */
const EVENT_MS = 4
/** How long a command's own line waits for what its server says to it, in milliseconds. */
const ANSWERED_MS = 3

/** What others have changed at a server is told once in so many milliseconds. */
const CHANGED_MS = 1000

/** The kinds of events of a server that a reader may be told now. */
export type KindsOf = (serverId: string) => ReadonlySet<EventName>

/** Who reads a stream. */
export interface Reader {
  accountId: string
  /** The sign-in it reads with: what is done with that is not told back to it. */
  tokenHash: string
  /** Asked at intervals. Where it is not what it was, or it throws, the stream ends, so that its reader comes again. */
  kindsOf: KindsOf
  /** Whether it may read this of a server now: that it has changed is told to nobody else. */
  mayRead: (serverId: string, readId: string) => boolean
}

export interface Watched {
  server: ManagedServer
  /** What may be told of it. */
  kinds: ReadonlySet<EventName>
  /** Where its lines go on; `now`: with the next one; `none`: they are not wanted. */
  lines: { after: LinePosition } | 'now' | 'none'
}

interface Channel {
  server: ManagedServer
  kinds: ReadonlySet<EventName>
  cursor: Cursor | null
  /** What has to be told anew. Only the newest state is ever told, so this cannot grow. */
  due: Set<Change>
  /** File jobs to tell, by id: of each only the newest state. */
  jobs: Map<string, FileJobIn>
  /** Ids of reads that were changed by others and are not told yet. */
  changed: Set<string>
  /** When they may be told. */
  changedAt: number
  stops: (() => void)[]
}

/**
 * One event stream over several servers, which take turns. A reader that stops reading leaves only its places in the
 * consoles behind.
 */
export class EventStream extends PushedEvents {
  readonly #channels: Channel[]
  readonly reader: Reader
  #turn = 0
  #quietSince = performance.now()
  /** When it is next asked whether the caller may still read. */
  #checkAt = performance.now() + HEARTBEAT_MS
  /** Full while nothing was sent for a while; empty under load. */
  #burst = BURST
  /** The last event held as many lines as one may: waiting would gather nothing. */
  #full = false

  constructor(watched: readonly Watched[], reader: Reader) {
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
          // A reader that does not read misses the oldest: jobs can be asked for.
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

  /** A server was deleted: nothing more is told of it but that. A stream of nothing else ends. */
  leaveOut(serverId: string): void {
    const at = this.#channels.findIndex((channel) => channel.server.spec.id === serverId)
    if (at < 0) return
    for (const channel of this.#channels.splice(at, 1)) for (const stop of channel.stops) stop()
    const news = toEvent('changed', { serverId, reads: ['servers.list'] })
    if (this.#channels.length === 0) this.end(news)
    // At most once for each server that is watched.
    else this.tell(news)
  }

  /** Somebody has changed something of a server: which reads are old is told soon, of those that its reader may read. */
  tellChanged(serverId: string, reads: readonly string[]): void {
    const channel = this.#channels.find(({ server }) => server.spec.id === serverId)
    if (!channel?.kinds.has('changed')) return
    for (const read of reads)
      if (!channel.changed.has(read) && this.#mayRead(serverId, read)) channel.changed.add(read)
    if (channel.changed.size > 0) this.wake()
  }

  /**
   * What its reader holds at a server is not what it was. Where that is other events than these, the stream ends at once,
   * so that its reader comes again.
   */
  standingChanged(serverId: string, reads: readonly string[]): void {
    const channel = this.#channels.find(({ server }) => server.spec.id === serverId)
    if (!channel) return
    if (!this.#mayStill()) return this.end(toEvent('changed', { serverId, reads }))
    for (const read of reads) channel.changed.add(read)
    this.wake()
  }

  /** Ends the stream where its reader may not read it any more. */
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

  /** A command's own line goes with what its server says to it, where that comes at once: a page draws both together. */
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

  /** Where that cannot be found out, as of a database that fails, the answer is no: what has changed it fails not by that. */
  #mayRead(serverId: string, read: string): boolean {
    try {
      return this.reader.mayRead(serverId, read)
    } catch {
      return false
    }
  }

  /** How long to gather before the next event, in milliseconds. */
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
      // Its server may have been deleted while its lines were read.
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
    // A piece from memory is there at once; awaiting it would cost a turn for each event.
    const read = cursor.read(LINES_MAX)
    const piece = read instanceof Promise ? await read : read
    this.#full = cursor.ready
    return piece && encode(serverId, piece)
  }
}

/** How long until what others have changed is told, in milliseconds; infinite where nothing was. */
const untilChanged = ({ changed, changedAt }: Channel): number =>
  changed.size === 0 ? Infinity : Math.max(0, changedAt - performance.now())

const END = Buffer.from(']}\n\n')

function encode(serverId: string, piece: Piece): Buffer {
  if (piece.kind === 'gap') return Buffer.from(toEvent('gap', { serverId, from: piece.from, to: piece.to }))
  // The lines were encoded when they arrived.
  const start = Buffer.from(`event: lines\ndata: {"serverId":${JSON.stringify(serverId)},"lines":[`)
  return Buffer.concat([start, piece.bytes, END])
}
