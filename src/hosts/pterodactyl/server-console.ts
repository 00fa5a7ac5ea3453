import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import type { ContainerStats } from '../../contract/areas/servers.ts'
import type { ConsoleMemory, HostRefusal } from '../base/adapter.ts'
import { linesIn } from '../base/body.ts'
import { JoinedLines } from '../console/joined-lines.ts'
import type { LineLog } from '../console/line-log.ts'
import { WaitingLines } from '../console/waiting-lines.ts'
import { powerWord, SUSPENDED } from './servers.ts'
import { type SocketToken, type WingsPorts, WingsSocket } from './wings-socket.ts'

/** What is written meanwhile arrives at the socket before it is in the file, or soon after, ms. */
const SETTLE_MS = 300
/** For what Wings has of the log itself, which has no end, ms. */
const HISTORY_MS = 1000
/** Wings answers once in so long, ms. */
const HISTORY_EVERY_MS = 5000
/** What Wings says when it drops lines. */
const DROPPED = /outputting console data too quickly/i
/** Of a move to another machine. */
const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'processing', 'cancelling'])

export type ServerNews =
  | { kind: 'stats'; stats: z.input<typeof ContainerStats> }
  /** Files or backups changed: these reads are stale. */
  | { kind: 'changed'; reads: string[] }

export interface ServerConsolePorts {
  serverId: string
  dial: WingsPorts['dial']
  origins: WingsPorts['origins']
  token: (signal: AbortSignal) => Promise<SocketToken>
  /** A minute. */
  tokensMost?: number
  /** The newest lines of `logs/latest.log`; null if there is none that can be read. */
  log: (signal: AbortSignal) => Promise<string[] | null>
  onStatus: (status: string) => void
  memory: ConsoleMemory
}

/**
 * One socket of a server, for all windows. Lines that were written while there was no connection, or that Wings dropped,
 * are taken from the log file; what is missing there is shown as a gap.
 */
export class ServerConsole {
  readonly #ports: ServerConsolePorts
  readonly #socket: WingsSocket
  readonly #closed = new AbortController()
  readonly #listeners = new Set<(news: ServerNews) => void>()
  readonly #opened = Promise.withResolvers<LineLog>()
  #lines: JoinedLines | null = null
  /** Lines that arrive while the log is read; null while they are shown as they come. */
  #pending: WaitingLines | null = new WaitingLines()
  /** Whether something was missed while the log was read. */
  #joining: { again: boolean } | null = null
  /** When it was asked for at this socket. */
  #historyAt = Number.NEGATIVE_INFINITY
  status: string | null = null
  /** The sentence that the console shows, until there is a connection again. */
  #refusal: string | null = null

  constructor(ports: ServerConsolePorts) {
    this.#ports = ports
    this.#opened.promise.catch(() => {})
    const { dial, origins, token, tokensMost } = ports
    this.#socket = new WingsSocket({
      ...{ dial, origins, token, ...(tokensMost !== undefined && { tokensMost }) },
      onReady: () => {
        this.#refusal = null
        void this.#join()
      },
      onMessage: (event, args) => this.#take(event, args),
      onBreak: (refusal) => {
        this.status = null
        this.#historyAt = Number.NEGATIVE_INFINITY
        if (refusal) this.#tellRefusal(refusal)
        // What can't be had live is still in the file.
        if (refusal || !this.#lines) void this.#join()
      },
      onSuspended: () => this.#tellStatus(SUSPENDED),
    })
  }

  /** It is about to be another, which is to be told. */
  get isBusy(): boolean {
    return this.status === 'starting' || this.status === 'stopping'
  }

  /** Once the first lines are there. */
  lines(): Promise<LineLog> {
    return this.#opened.promise
  }

  listen(listener: (news: ServerNews) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#closed.abort(new Error('closed'))
    this.#opened.reject(new Error('closed'))
    this.#socket.close()
  }

  #take(event: string, args: readonly string[]): void {
    // Some versions name the backup: `backup completed:uuid`.
    switch (event.startsWith('backup completed') ? 'backup completed' : event) {
      case 'console output':
        return this.#takeOutput(args.flatMap(linesIn))
      case 'install output':
      case 'transfer logs':
      case 'daemon message':
      case 'daemon error':
        return this.#lines?.log.add(args.flatMap(linesIn), { source: 'service' })
      case 'throttled':
        return this.#missed()
      case 'transfer status':
        return this.#takeTransfer(args[0] ?? '')
      case 'status':
        return args[0] ? this.#tellStatus(powerWord(args[0])) : undefined
      case 'stats':
        return this.#takeStats(args[0] ?? '')
      case 'install started':
        return this.#tellStatus('installing')
      case 'backup completed':
        return this.#tell({ kind: 'changed', reads: ['backups.list'] })
      case 'install completed':
      case 'backup restore completed':
        return this.#tell({
          kind: 'changed',
          reads: ['servers.read', 'servers.status', 'files.list', 'backups.list'],
        })
    }
  }

  #takeOutput(lines: string[]): void {
    if (lines.some((line) => DROPPED.test(line))) this.#missed()
    const waiting = this.#pending
    if (!waiting) return this.#lines?.log.add(lines)
    // What has no room here is in the log, which is read again.
    if (!lines.every((line) => waiting.add(line))) this.#missed()
  }

  /** Once, after what the log holds: the console says why it isn't live. */
  #tellRefusal({ message, told }: HostRefusal): void {
    if (this.#refusal === message) return
    this.#refusal = message
    this.#tell({ kind: 'changed', reads: ['servers.read', 'servers.status'] })
    this.#opened.promise
      .then((lines) => lines.add([message], { source: 'service', ...(told && { told }) }))
      .catch(() => undefined)
  }

  /** A server that is moved has its socket at another machine then. */
  #takeTransfer(state: string): void {
    if (UNDER_WAY.has(state)) return this.#tellStatus('transferring')
    this.#tell({ kind: 'changed', reads: ['servers.read', 'servers.status', 'files.list'] })
    this.#socket.renew()
  }

  /** Wings sent less than there was. */
  #missed(): void {
    void this.#join()
  }

  #takeStats(text: string): void {
    let given: Record<string, unknown>
    try {
      given = JSON.parse(text) as Record<string, unknown>
    } catch {
      return
    }
    if (typeof given !== 'object' || given === null) return
    if (given['state'] !== 'running') return
    const number = (value: unknown) => (typeof value === 'number' ? value : null)
    const network = (given['network'] ?? {}) as Record<string, unknown>
    const uptime = number(given['uptime'])
    const limit = number(given['memory_limit_bytes'])
    this.#tell({
      kind: 'stats',
      stats: {
        cpuPercent: number(given['cpu_absolute']),
        memoryBytes: number(given['memory_bytes']),
        memoryLimitBytes: limit === 0 ? null : limit,
        diskBytes: number(given['disk_bytes']),
        networkRxBytes: number(network['rx_bytes']),
        networkTxBytes: number(network['tx_bytes']),
        uptimeSeconds: uptime === null ? null : Math.round(uptime / 1000),
      },
    })
  }

  #tellStatus(status: string): void {
    this.status = status
    this.#ports.onStatus(status)
  }

  #tell(news: ServerNews): void {
    for (const listener of [...this.#listeners]) listener(news)
  }

  async #join(): Promise<void> {
    this.#pending ??= new WaitingLines()
    if (this.#joining) return void (this.#joining.again = true)
    const joining: { again: boolean } = { again: true }
    this.#joining = joining
    try {
      const lines = (this.#lines ??= await JoinedLines.open(this.#ports.memory, this.#ports.serverId))
      while (joining.again) {
        joining.again = false
        await this.#joinTo(lines)
      }
      this.#pending = null
      this.#opened.resolve(lines.log)
    } catch {
      // Closed meanwhile.
    } finally {
      this.#joining = null
    }
  }

  async #askHistory(signal: AbortSignal): Promise<void> {
    const early = HISTORY_EVERY_MS - (performance.now() - this.#historyAt)
    if (early > 0) await wait(early, undefined, { signal })
    if (this.#socket.send('send logs')) this.#historyAt = performance.now()
  }

  async #joinTo(lines: JoinedLines): Promise<void> {
    const { signal } = this.#closed
    const log = await this.#ports.log(signal).catch(() => null)
    if (!log) await this.#askHistory(signal)
    await wait(log ? SETTLE_MS : HISTORY_MS, undefined, { signal })
    const pending = this.#pending?.texts ?? []
    this.#pending = new WaitingLines()
    if (log) lines.fill(log, pending)
    else lines.repeat(pending)
  }
}
