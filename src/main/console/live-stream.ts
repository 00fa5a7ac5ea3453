import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/areas/index.ts'
import { events as eventSchemas } from '../../contract/areas/console.ts'
import type { ContainerStats, RuntimeStatus } from '../../contract/areas/servers.ts'
import type { ConsolePiece, ConsoleState, FileJob, LineBatch } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../api/problem.ts'
import type { Cache } from '../cache/cache.ts'
import type { Log } from '../logging/log.ts'
import { formatLineId, parseLineId, type LineId } from '../../contract/pure/line-ids.ts'
import { dropThrough, lastSeq, toBatches } from './columns.ts'

/** Waits between two tries to connect, in ms: doubled from the first to the last, with jitter. */
const FIRST_WAIT = 200
const LAST_WAIT = 15_000
/** Where a service has no event stream its status and history are asked this often, in ms. */
const POLL_EVERY = 2000
/** Lines a console that was never seen here begins with. */
const FIRST_LINES = 2000
/** A hole is filled from history up to this many lines; a larger one is left to paging. */
const FILL_LINES = 20_000
const HISTORY_PAGE = 5000
/** A hole is shown as a gap when so many tries in a row to fill one have failed. */
const UNFILLED_MOST = 3

export interface LiveStreamPorts {
  connectionId: string
  /** The client as it is now: the built-in service has a new address at each start. */
  client: () => ApiClient
  cache: Cache
  /** All servers whose status is wanted. */
  servers: () => string[]
  /** Those of them whose lines are wanted. */
  watched: () => string[]
  onPieces: (serverId: string, pieces: ConsolePiece[]) => void
  onStatus: (serverId: string, status: RuntimeStatus) => void
  onStats: (serverId: string, stats: ContainerStats) => void
  onPlayers: (serverId: string, players: { online: number; max?: number | null }) => void
  onJob: (serverId: string, job: FileJob) => void
  onState: (state: ConsoleState) => void
  /** A server that was watched is gone. */
  onGone: () => void
  log: Log
}

/** The one event stream of a connection: keeps it open, resumes it where it broke, and polls where there is none. */
export class LiveStream {
  #round: AbortController | null = null
  #ended = false
  #wake: (() => void) | null = null
  #unfilled = 0
  readonly #last = new Map<string, LineId>()
  readonly #ports: LiveStreamPorts
  state: ConsoleState = 'connecting'

  constructor(ports: LiveStreamPorts) {
    this.#ports = ports
    void this.#run()
  }

  /** Connects anew, because the watched servers changed or the network came back. */
  restart(): void {
    this.#round?.abort()
    this.#wake?.()
  }

  stop(): void {
    this.#ended = true
    this.restart()
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#ended;) {
      const round = new AbortController()
      this.#round = round
      let connected = false
      let asked = 0
      try {
        await this.#listen(round.signal, () => (connected = true)).catch((error: unknown) => {
          if (!isWithout(error)) throw error
          return this.#poll(round.signal)
        })
      } catch (error) {
        if (error instanceof PanelProblem) {
          asked = (error.problem.retryAfter ?? 0) * 1000
          // One of the servers that were asked for is gone: a fresh list says which.
          if (error.problem.code === 'not-found') this.#ports.onGone()
        } else if (!round.signal.aborted) this.#ports.log.warn('the event stream failed', { error })
      }
      if (round.signal.aborted) {
        failures = 0
        continue
      }
      failures = connected ? 1 : failures + 1
      this.#setState(failures > 2 ? 'offline' : 'connecting')
      const longest = Math.min(LAST_WAIT, FIRST_WAIT * 2 ** (failures - 1))
      await this.#pause(Math.max(asked, longest * (0.5 + Math.random() / 2)))
    }
  }

  async #listen(signal: AbortSignal, connected: () => void): Promise<void> {
    const { servers, watched } = this.#ports
    const client = this.#ports.client()
    const lines = watched()
    for (const serverId of lines)
      await this.#begin(serverId, signal).catch((error: unknown) => {
        // Lines of this console begin with what comes now; the others are none the worse for it.
        if (signal.aborted || !(error instanceof PanelProblem)) throw error
      })
    const all = [...new Set([...lines, ...servers()])]
    if (all.length === 0) return await this.#untilRestart(signal)
    const after = lines
      .filter((id) => this.#last.has(id))
      .map((id) => `${id}:${formatLineId(this.#last.get(id) as LineId)}`)
    const query = { servers: all.join(','), lines: lines.join(','), after: after.join(',') || undefined }
    for await (const { event, data } of client.events(api.console.events, { query }, { signal })) {
      if (this.state !== 'live') {
        connected()
        this.#setState('live')
      }
      await this.#take(event, data, signal)
    }
  }

  /** Finds where a console goes on: after what is archived, or after the newest lines of the service. */
  async #begin(serverId: string, signal: AbortSignal): Promise<void> {
    if (this.#last.has(serverId)) return
    const { cache, client, connectionId } = this.#ports
    const held = await cache.lastLine(connectionId, serverId)
    if (held) {
      this.#last.set(serverId, held)
      return
    }
    const input = { params: { serverId }, query: { limit: FIRST_LINES } }
    const { value } = await client().send(api.console.history, input, { signal })
    for (const batch of toBatches(value.items).batches) this.#accept(serverId, batch)
  }

  async #take(event: string, data: string, signal: AbortSignal): Promise<void> {
    const ports = this.#ports
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch {
      // One event that is none must not cost the stream: the next connection would bring it again.
      return ports.log.warn('an event could not be read', { event, length: data.length })
    }
    switch (event) {
      case 'lines': {
        const { serverId, lines } = value as { serverId?: unknown; lines?: unknown }
        if (typeof serverId !== 'string' || !Array.isArray(lines)) return
        const { batches, leftOut } = toBatches(lines)
        if (leftOut > 0) ports.log.warn('console lines did not fit the contract', { serverId, leftOut })
        for (const batch of batches) await this.#join(serverId, batch, signal)
        return
      }
      case 'gap': {
        const gap = eventSchemas.gap.safeParse(value)
        if (!gap.success) return
        const { serverId, from, to } = gap.data
        const end = parseLineId(to)
        if (end) this.#last.set(serverId, end)
        return ports.onPieces(serverId, [{ kind: 'gap', from, to }])
      }
      case 'status': {
        const status = eventSchemas.status.safeParse(value)
        return status.success ? ports.onStatus(status.data.serverId, status.data.status) : undefined
      }
      case 'stats': {
        const stats = eventSchemas.stats.safeParse(value)
        return stats.success ? ports.onStats(stats.data.serverId, stats.data.stats) : undefined
      }
      case 'players': {
        const players = eventSchemas.players.safeParse(value)
        return players.success ? ports.onPlayers(players.data.serverId, players.data.players) : undefined
      }
      case 'job': {
        const job = eventSchemas.job.safeParse(value)
        return job.success ? ports.onJob(job.data.serverId, job.data.job) : undefined
      }
      // A kind this panel does not know yet.
      default:
    }
  }

  /** Takes a batch; a hole before it is filled from history first, or shown as a gap. */
  async #join(serverId: string, batch: LineBatch, signal: AbortSignal): Promise<void> {
    const last = this.#last.get(serverId)
    if (last?.epoch === batch.epoch && batch.firstSeq > last.seq + 1) {
      const missing = batch.firstSeq - last.seq - 1
      if (missing <= FILL_LINES) await this.#fill(serverId, batch.firstSeq, signal)
      const now = this.#last.get(serverId) as LineId
      if (now.seq + 1 < batch.firstSeq) {
        const from = formatLineId({ epoch: batch.epoch, seq: now.seq + 1 })
        const to = formatLineId({ epoch: batch.epoch, seq: batch.firstSeq - 1 })
        this.#ports.onPieces(serverId, [{ kind: 'gap', from, to }])
      }
    }
    this.#accept(serverId, batch)
  }

  async #fill(serverId: string, upTo: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const last = this.#last.get(serverId)
      if (!last || last.seq + 1 >= upTo) return
      const query = { after: formatLineId(last), limit: HISTORY_PAGE }
      const answer = await this.#ports
        .client()
        .send(api.console.history, { params: { serverId }, query }, { signal })
        .catch((error: unknown) => {
          // What cannot be had just now comes when the stream is connected anew, which goes on after the last line.
          const lasting = error instanceof PanelProblem && !error.problem.retryable
          if (signal.aborted || (!lasting && this.#unfilled++ < UNFILLED_MOST)) throw error
          return null
        })
      if (answer) this.#unfilled = 0
      const next = answer && toBatches(answer.value.items).batches[0]
      if (!next || next.epoch !== last.epoch || next.firstSeq !== last.seq + 1) return
      this.#accept(serverId, next)
    }
  }

  #accept(serverId: string, batch: LineBatch): void {
    const last = this.#last.get(serverId)
    const fresh = last?.epoch === batch.epoch ? dropThrough(batch, last.seq) : batch
    if (!fresh) return
    this.#last.set(serverId, { epoch: fresh.epoch, seq: lastSeq(fresh) })
    this.#ports.cache.postLines(this.#ports.connectionId, serverId, fresh)
    this.#ports.onPieces(serverId, [{ kind: 'lines', batch: fresh }])
  }

  /** For a service without an event stream. */
  async #poll(signal: AbortSignal): Promise<void> {
    const { watched, onStatus } = this.#ports
    const client = this.#ports.client()
    this.#setState('polling')
    for (let failures = 0; !signal.aborted && !this.#ended;) {
      let problem: Problem | null = null
      for (const serverId of watched()) {
        const params = { serverId }
        const asking = [
          client
            .send(api.servers.status, { params }, { signal })
            .then(({ value }) => onStatus(serverId, value)),
          this.#pollLines(serverId, signal),
        ]
        // One that fails does not hinder the other: a service may offer just one of them.
        await Promise.all(
          asking.map((asked) => asked.catch((error: unknown) => (problem = this.#noteProblem(error)))),
        )
      }
      failures = problem ? failures + 1 : 0
      const asked = ((problem as Problem | null)?.retryAfter ?? 0) * 1000
      await this.#pause(Math.max(asked, Math.min(LAST_WAIT, POLL_EVERY * 2 ** Math.max(0, failures - 1))))
    }
  }

  /** Takes what a service can answer with; anything else is a fault of ours. */
  #noteProblem(error: unknown): Problem {
    if (!(error instanceof PanelProblem)) throw error
    this.#setState(error.problem.code === 'offline' ? 'offline' : 'polling')
    return error.problem
  }

  async #pollLines(serverId: string, signal: AbortSignal): Promise<void> {
    await this.#begin(serverId, signal)
    const last = this.#last.get(serverId)
    const query = { limit: HISTORY_PAGE, after: last && formatLineId(last) }
    const client = this.#ports.client()
    const { value } = await client.send(api.console.history, { params: { serverId }, query }, { signal })
    for (const batch of toBatches(value.items).batches) await this.#join(serverId, batch, signal)
    this.#setState('polling')
  }

  #untilRestart(signal: AbortSignal): Promise<void> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('restarted')), { once: true })
    })
  }

  async #pause(ms: number): Promise<void> {
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    await sleep(ms, undefined, { signal: waking.signal, ref: false }).catch(() => undefined)
    this.#wake = null
  }

  #setState(state: ConsoleState): void {
    if (this.state === state) return
    this.state = state
    this.#ports.onState(state)
  }
}

/** Whether there is no event stream for us: then status and history are asked for. */
const isWithout = (error: unknown) =>
  error instanceof PanelProblem && ['unavailable', 'forbidden'].includes(error.problem.code)
