import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import type { ContainerStats } from '../../contract/areas/servers.ts'
import type { Dial } from '../../host/network/dial.ts'
import type { ConsoleMemory, HostRefusal } from '../base/adapter.ts'
import { linesIn } from '../base/body.ts'
import { JoinedLines } from '../console/joined-lines.ts'
import type { LineLog } from '../console/line-log.ts'
import { WaitingLines } from '../console/waiting-lines.ts'
import { ExarotonServer, type Frame, Stats, Tick } from './answers.ts'
import { ManagementStream } from './management-stream.ts'
import { ServerSocket } from './server-socket.ts'
import { isAtRest, ONLINE } from './servers.ts'
import { type StreamName, Streams } from './streams.ts'

/** Lines that come first when a console is started. */
const TAIL = 500
/** They have no end: what comes within so long, ms, is joined as one. */
const TAIL_MS = 1000
/** How long an answer of the socket is waited for before the log file alone is shown, ms. */
const SOCKET_MS = 10_000
const MS_A_SECOND = 1000
const TPS_MOST = 20

export type StatsNews = z.input<typeof ContainerStats>

export interface ServerConsolePorts {
  address: string
  key: string
  dial: Dial
  serverId: string
  memory: ConsoleMemory
  /** The newest lines of the log; null if it can't be read now. */
  log: (signal: AbortSignal) => Promise<string[] | null>
  /** The server as it is now. */
  look: (signal: AbortSignal) => Promise<ExarotonServer>
  told: (server: ExarotonServer) => void
  memoryMb: () => number | null
}

/**
 * One websocket of a server, for all windows. Lines have no ids: after a break they are joined where the last known ones
 * are, in the lines sent first or in the log file; what is in neither is shown as a gap.
 */
export class ServerConsole {
  readonly #ports: ServerConsolePorts
  readonly #socket: ServerSocket
  readonly #streams: Streams
  readonly management = new ManagementStream({
    want: () => this.#streams.want('management'),
    leave: () => this.#streams.leave('management'),
    isRunning: () => this.#streams.isRunning('management'),
    send: (data) => this.#socket.send({ stream: 'management', type: 'request', data }),
  })
  readonly #closed = new AbortController()
  readonly #listeners = new Set<(stats: StatsNews) => void>()
  readonly #opened = Promise.withResolvers<LineLog>()
  #lines: JoinedLines | null = null
  #isWanted = false
  /** Lines that arrive before they are joined; null while they are shown as they come. */
  #pending: WaitingLines | null = new WaitingLines()
  #isOverfull = false
  #isJoining = false
  /** Lines may have been written that aren't here. */
  #isBehind = true
  /** The run that is known was seen to its end. */
  #isRunSeen = false
  #tps: number | null = null
  #stats: { at: number; value: StatsNews } | null = null

  constructor(ports: ServerConsolePorts) {
    this.#ports = ports
    this.#opened.promise.catch(() => {})
    this.#streams = new Streams({
      start: (stream) => this.#start(stream),
      onRunEnded: () => {
        this.#isRunSeen = !this.#isBehind
      },
    })
    const { address, key, dial } = ports
    this.#socket = new ServerSocket({
      ...{ address, key, dial },
      onReady: () => this.#ready(),
      onFrame: (frame) => this.#take(frame),
      onBreak: (refusal) => this.#broke(refusal),
    })
  }

  /** On its way from one state to another. */
  get isBusy(): boolean {
    const { state } = this.#streams
    return state !== null && state !== ONLINE && !isAtRest(state)
  }

  /** Once the first lines are there. */
  lines(): Promise<LineLog> {
    if (!this.#isWanted) {
      this.#isWanted = true
      this.#streams.want('console')
      if (this.#streams.state !== null && !this.#streams.hasConsole) void this.#join()
      const { signal } = this.#closed
      wait(SOCKET_MS, undefined, { signal, ref: false })
        .then(() => {
          if (!this.#lines) void this.#join()
        })
        .catch(() => undefined)
    }
    return this.#opened.promise
  }

  listen(listener: (stats: StatsNews) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Sent within the last `ms`. */
  recentStats(ms: number): StatsNews | null {
    return this.#stats && performance.now() - this.#stats.at < ms ? this.#stats.value : null
  }

  close(): void {
    this.#closed.abort(new Error('closed'))
    this.#opened.reject(new Error('closed'))
    this.#streams.close()
    this.management.checkEnded()
    this.#socket.close()
  }

  #ready(): void {
    this.#streams.ready()
    if (this.#streams.state !== null) return
    // The status comes by itself, too.
    const { signal } = this.#closed
    this.#ports.look(signal).then(
      ({ status }) => {
        if (this.#streams.state === null) this.#entered(status)
      },
      () => undefined,
    )
  }

  #broke(refusal: HostRefusal | null): void {
    this.#streams.reset()
    this.management.checkEnded()
    this.#streams.state = null
    this.#isBehind = true
    this.#isRunSeen = false
    this.#pending = new WaitingLines()
    // What can't be had live is still in the file.
    if (refusal && this.#isWanted && !this.#lines) void this.#join()
  }

  #start(stream: StreamName): void {
    const data = stream === 'console' ? { tail: TAIL } : undefined
    if (stream === 'console') this.#pending = new WaitingLines()
    this.#socket.send({ stream, type: 'start', ...(data && { data }) })
  }

  #take({ type, stream, data }: Frame): void {
    switch (stream) {
      case 'status':
        return this.#takeStatus(data)
      case 'console':
      case 'stats':
      case 'tick':
      case 'management':
        return this.#takeOf(stream, type, data)
      case null:
      case undefined:
        return this.#takeNews(type)
    }
  }

  /** Whether the machine behind is connected. */
  #takeNews(type: string): void {
    if (type === 'connected') this.#streams.connected()
    if (type !== 'disconnected') return
    if (this.#streams.isRunning('console')) this.#isBehind = true
    this.#streams.disconnected()
    this.management.checkEnded()
  }

  #takeOf(stream: StreamName, type: string, data: unknown): void {
    switch (type) {
      case 'started':
        if (this.#streams.started(stream) && stream === 'console') void this.#join()
        if (stream === 'management') this.management.started()
        return
      case 'stopped':
        if (stream === 'console') this.#isBehind = true
        this.#streams.stopped(stream)
        return this.management.checkEnded()
      case 'response':
        return this.management.take(data)
      case 'line':
        return this.#takeLine(data)
      case 'stats':
        return this.#takeStats(data)
      case 'tick': {
        const ms = Tick.safeParse(data).data?.averageTickTime
        this.#tps = ms === undefined ? null : Math.min(TPS_MOST, MS_A_SECOND / ms)
      }
    }
  }

  #takeStatus(data: unknown): void {
    const server = ExarotonServer.safeParse(data).data
    if (server?.id !== this.#ports.serverId) return
    this.#ports.told(server)
    this.#entered(server.status)
  }

  #entered(state: number): void {
    if (state !== ONLINE) this.#tps = this.#stats = null
    this.#streams.entered(state)
    this.management.checkEnded()
    const isLate = this.#isBehind && (isAtRest(state) || !this.#lines)
    if (this.#isWanted && !this.#streams.hasConsole && isLate) void this.#join()
  }

  #takeLine(data: unknown): void {
    if (typeof data !== 'string') return
    const lines = linesIn(data)
    while (lines.length > 1 && lines.at(-1) === '') lines.pop()
    const waiting = this.#pending
    if (!waiting) return this.#lines?.log.add(lines)
    if (!lines.every((line) => waiting.add(line))) this.#isOverfull = true
  }

  #takeStats(data: unknown): void {
    const used = Stats.safeParse(data).data?.memory.usage
    if (used === undefined || this.#streams.state !== ONLINE) return
    const limit = this.#ports.memoryMb()
    const value: StatsNews = {
      memoryBytes: used,
      ...(limit !== null && { memoryLimitBytes: limit * 1024 * 1024 }),
      ...(this.#tps !== null && { tps: this.#tps }),
    }
    this.#stats = { at: performance.now(), value }
    for (const listener of [...this.#listeners]) listener(value)
  }

  async #join(): Promise<void> {
    if (this.#isJoining) return
    this.#isJoining = true
    this.#pending ??= new WaitingLines()
    const { signal } = this.#closed
    try {
      const lines = (this.#lines ??= await JoinedLines.open(this.#ports.memory, this.#ports.serverId))
      await this.#joinTo(lines, signal)
      this.#opened.resolve(lines.log)
    } catch {
      // Closed meanwhile.
    } finally {
      this.#isJoining = false
    }
  }

  /** Again if the console began, or began anew, meanwhile. */
  async #joinTo(lines: JoinedLines, signal: AbortSignal): Promise<void> {
    for (;;) {
      const pending = this.#pending
      const isLive = this.#streams.isRunning('console')
      if (isLive) await wait(TAIL_MS, undefined, { signal })
      if (pending !== this.#pending) continue
      if (isLive && pending && lines.continue(pending.texts)) return this.#caughtUp()
      const log = await this.#ports.log(signal).catch(() => null)
      signal.throwIfAborted()
      if (pending !== this.#pending || isLive !== this.#streams.isRunning('console')) continue
      // A file that can't be read now is read when the server is at rest, or its console begins.
      if (log || isLive) this.#filled(lines, log, (isLive && pending?.texts) || [])
      return
    }
  }

  #filled(lines: JoinedLines, log: readonly string[] | null, pending: readonly string[]): void {
    // Fewer lines than were asked for are all there are.
    const isNextRun = this.#isRunSeen && pending.length < TAIL
    if (log) lines.fill(log, pending, { isNextRun: this.#isRunSeen })
    else if (isNextRun || pending.length === 0) lines.log.add(pending)
    else lines.repeat(pending)
    this.#caughtUp()
  }

  #caughtUp(): void {
    const { state } = this.#streams
    // Without a connection, more may be written unseen.
    this.#isBehind = state === null
    this.#isRunSeen = state !== null && isAtRest(state)
    if (!this.#streams.isRunning('console')) return
    if (this.#isOverfull) this.#lines?.log.miss()
    this.#isOverfull = false
    this.#pending = null
  }
}
