import { setImmediate as nextTurn } from 'node:timers/promises'
import { api } from '../../contract/areas/index.ts'
import type { ContainerStats, RuntimeStatus } from '../../contract/areas/servers.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type {
  ConsolePiece,
  ConsoleState,
  FileJob,
  HistoryState,
  LiveUpdates,
} from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../base/problem.ts'
import { Findings } from '../api/reader/drift.ts'
import { backoffMs, type Clock, systemClock } from '../base/retry.ts'
import type { Cache } from '../views/cache/cache.ts'
import type { Log } from '../logging/log.ts'
import type { PollingInterval } from './polling.ts'
import { LineFlow } from './line-flow.ts'
import { isStreamed, Questions } from './questions.ts'
import { readEvent, type ConsoleEvent } from './stream-events.ts'

/** Reconnect delays in ms: doubled from first to last, half of each random. */
const WAITS = {
  failing: { first: 200, last: 60_000 },
  absent: { first: 30_000, last: 600_000 },
  forbidden: { first: 30_000, last: 600_000 },
}
/** A stream shorter than this, in ms, counts as unreliable: wait longer before the next attempt. */
const STEADY_MS = 10_000
/** Give up on a stream that sent nothing for this long after the request, in ms. */
const SILENT_MS = 5000

/** Lines of one event processed per turn. */
const LINES_AT_ONCE = 2000

type PollReason = NonNullable<LiveUpdates['asked']>['why']

export interface LiveStreamPorts {
  connectionId: string
  /** The current client: the built-in service gets a new address at each start. */
  client: () => ApiClient
  cache: Cache
  servers: () => string[]
  watched: () => string[]
  shown: () => string[]
  readStatus: (serverId: string) => Promise<Problem | null>
  isOnline: (serverId: string) => boolean
  onPieces: (serverId: string, pieces: ConsolePiece[]) => void
  onHistory: (serverId: string, history: HistoryState) => void
  onStatus: (serverId: string, status: RuntimeStatus) => void
  onStats: (serverId: string, stats: ContainerStats) => void
  /** Null if statistics merely do not exist now. */
  onNoStats: (serverId: string, problem: Problem | null) => void
  onPlayers: (serverId: string, players: { online: number; max?: number | null }) => void
  onJob: (serverId: string, job: FileJob) => void
  /** Someone else changed something: these reads, by the service's names, are stale. */
  onChanged: (serverId: string, reads: readonly string[]) => void
  onLive: (now: LiveUpdates) => void
  onGone: () => void
  log: Log
  pace: Pick<PollingInterval, 'times'>
  clock?: Clock
}

/**
 * Live updates of one connection: a single event stream, kept open and resumed, plus polling for whatever it does not
 * send.
 */
export class LiveStream {
  readonly #ports: LiveStreamPorts
  readonly #clock: Clock
  readonly #lines: LineFlow
  readonly #questions: Questions
  #round: AbortController | null = null
  #ended = false
  #wait: AbortController | null = null
  #tells = false
  /** It was so last time: reconnecting is not an interruption yet. */
  #live = false
  /** Why everything is polled; null while the stream is trusted. */
  #why: PollReason | null = null
  #away = false
  #told = ''
  /** Servers requested from the stream. Data of others is dropped: there could be any number. */
  #asked: ReadonlySet<string> = new Set()
  #askedLines: ReadonlySet<string> = new Set()

  constructor(ports: LiveStreamPorts) {
    this.#ports = ports
    this.#clock = ports.clock ?? systemClock
    this.#lines = new LineFlow(ports)
    this.#questions = new Questions({
      ...ports,
      clock: this.#clock,
      lines: this.#lines,
      needs: () => (this.#why ? 'everything' : this.#tells ? 'what-is-not-told' : 'nothing'),
      onRound: (away) => {
        this.#away = away
        this.#tellState()
      },
    })
    void this.#run()
  }

  get now(): LiveUpdates {
    const asked = this.#why && !this.#away ? { why: this.#why, every: this.#questions.every } : null
    return { state: this.state, asked }
  }

  get state(): ConsoleState {
    if (this.#why) return this.#away ? 'offline' : 'polling'
    return this.#live ? 'live' : 'connecting'
  }

  history(serverId: string): HistoryState {
    return this.#lines.history(serverId)
  }

  restart(): void {
    this.#round?.abort()
    this.#wait?.abort(new Error('restarted'))
    this.#questions.hurry()
  }

  hurry(): void {
    this.#questions.hurry()
  }

  stop(): void {
    this.#ended = true
    this.#questions.stop()
    this.restart()
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#ended;) {
      const round = new AbortController()
      this.#round = round
      this.#tells = false
      const began = this.#clock.elapsed()
      const problem = await this.#listen(round.signal)
      const steady = this.#tells && this.#clock.elapsed() - began >= STEADY_MS
      this.#tells = false
      // A stream that just worked most likely reconnects right away.
      if (round.signal.aborted) {
        failures = 0
        continue
      }
      failures = steady ? 1 : failures + 1
      this.#live = false
      // A requested server is gone; a fresh list tells which.
      if (problem?.code === 'not-found') this.#ports.onGone()
      if (problem?.code === 'offline' && !this.#questions.asks) this.#away = true
      const why = whyOf(problem)
      if (why !== 'failing' || failures > 1) this.#without(why)
      this.#tellState()
      const { first, last } = WAITS[why]
      const wait = backoffMs(failures - 1, first, last, this.#clock.random())
      await this.#pause(Math.max((problem?.retryAfter ?? 0) * 1000, wait))
    }
  }

  async #listen(signal: AbortSignal): Promise<Problem | null> {
    try {
      await this.#begin(signal)
      this.#askedLines = new Set(this.#ports.watched())
      this.#asked = new Set([...this.#askedLines, ...this.#ports.servers()])
      this.#lines.keepOnly(this.#asked)
      const servers = [...this.#asked].filter(isStreamed)
      if (servers.length === 0) {
        await this.#clock.sleep(2 ** 31 - 1, signal)
        return null
      }
      await this.#stream(servers, signal)
      return null
    } catch (error) {
      if (error instanceof PanelProblem) return error.problem
      if (!signal.aborted) this.#ports.log.warn('the event stream failed', { error })
      return null
    }
  }

  async #begin(signal: AbortSignal): Promise<void> {
    for (const serverId of this.#ports.watched())
      await this.#lines.begin(serverId, signal).catch((error: unknown) => {
        // This console starts with what comes next; the others are not affected.
        if (signal.aborted || !(error instanceof PanelProblem)) throw error
      })
  }

  async #stream(servers: string[], signal: AbortSignal): Promise<void> {
    const watched = [...this.#askedLines].filter(isStreamed)
    const after = watched.map((id) => this.#lines.after(id)).filter((one) => one !== null)
    const query = {
      servers: servers.join(','),
      lines: watched.join(','),
      after: after.join(',') || undefined,
    }
    this.#lines.connecting()
    const silent = new AbortController()
    this.#clock
      .sleep(SILENT_MS, AbortSignal.any([signal, silent.signal]))
      .then(() => {
        if (!this.#tells) this.#without('failing')
      })
      .catch(() => undefined)
    try {
      for await (const { event, data } of this.#ports
        .client()
        .events(api.console.events, { query }, { signal })) {
        const told = this.#read(event, data)
        if (!told || !this.#isAsked(told)) continue
        if (!this.#tells) this.#catchUp(watched, signal)
        this.#relied()
        await this.#take(told, signal)
      }
    } finally {
      silent.abort(new Error('ended'))
    }
  }

  /** A service that does not replay loses what was written while disconnected. */
  #catchUp(servers: string[], signal: AbortSignal): void {
    for (const serverId of servers) this.#lines.ask(serverId, signal).catch(() => undefined)
  }

  /** An invalid event must not end the stream: after reconnecting it would come again. */
  #read(event: string, data: string): ConsoleEvent | null {
    const findings = new Findings()
    try {
      return readEvent(event, data, findings)
    } catch {
      this.#ports.log.warn('an event could not be read', { event, length: data.length })
      return null
    } finally {
      this.#ports.client().noteDrift(api.console.events, findings.drifts, findings.numbers)
    }
  }

  #isAsked({ kind, serverId }: ConsoleEvent): boolean {
    return (kind === 'lines' || kind === 'gap' ? this.#askedLines : this.#asked).has(serverId)
  }

  async #take(told: ConsoleEvent, signal: AbortSignal): Promise<void> {
    const { serverId } = told
    switch (told.kind) {
      case 'lines':
        return this.#takeLines(serverId, told.lines, signal)
      case 'gap':
        return this.#lines.gap(serverId, told.from ?? null, told.to)
      case 'status':
        return this.#ports.onStatus(serverId, told.status)
      case 'stats':
        this.#questions.toldStats(serverId)
        return this.#ports.onStats(serverId, told.stats)
      case 'players':
        return this.#ports.onPlayers(serverId, told.players)
      case 'job':
        return this.#ports.onJob(serverId, told.job)
      case 'changed':
        return this.#ports.onChanged(serverId, told.reads)
    }
  }

  /** Foreign lines are slow to parse, so yield between chunks. */
  async #takeLines(serverId: string, lines: readonly unknown[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
      if (at > 0) await nextTurn()
      await this.#lines.take(serverId, lines.slice(at, at + LINES_AT_ONCE), signal)
    }
  }

  #relied(): void {
    if (this.#tells) return
    this.#tells = true
    this.#live = true
    this.#why = null
    this.#away = false
    this.#tellState()
  }

  #without(why: PollReason): void {
    if (this.#why === why) return
    const first = this.#why === null
    this.#why = why
    this.#live = false
    if (first) this.#questions.hurry()
    this.#tellState()
  }

  async #pause(ms: number): Promise<void> {
    this.#wait = new AbortController()
    await this.#clock.sleep(ms, this.#wait.signal).catch(() => undefined)
    this.#wait = null
  }

  #tellState(): void {
    const now = this.now
    const told = JSON.stringify(now)
    if (told === this.#told) return
    this.#told = told
    this.#ports.onLive(now)
  }
}

function whyOf(problem: Problem | null): PollReason {
  if (problem?.code === 'unavailable') return 'absent'
  return problem?.code === 'forbidden' ? 'forbidden' : 'failing'
}
