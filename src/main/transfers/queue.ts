import type { Problem } from '../../contract/bridge/problem.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../api/problem.ts'
import { backoffMs, type Clock } from '../api/retry.ts'
import type { Log } from '../logging/log.ts'
import { uploadBatch } from './batch.ts'
import type { Bytes } from './bytes/bytes.ts'
import { dropPart } from './download.ts'
import { moveItem } from './item.ts'
import type { Coming } from './coming.ts'
import type { Limiter } from './limiter.ts'
import { localProblem } from './local-problem.ts'
import type { Ended, Move } from './move.ts'
import { prepare, type Prepared } from './prepare.ts'
import { Rate } from './rate.ts'
import { type Source, statFile } from './source.ts'
import type { BatchSize, ItemChange, ItemRow, TransferRow } from './store/rows.ts'
import type { Store } from './store/store.ts'
import { drop } from './tus.ts'

/** Files that go together where the service takes batches, in bytes and count. */
const SMALL_BYTES = 256 * 1024
const BATCH_FILES = 500
const BATCH_BYTES = 16 * 1024 * 1024
/** A service that fails, or a file that changes, is tried so often. */
const TRIES_MOST = 6
const HOLD_FIRST_MS = 500
const HOLD_MOST_MS = 30_000

/** Codes of a connection that is away: the transfer waits for it, however long that takes. */
const away = new Set(['offline', 'signed-out', 'local-failed', 'untrusted'])
/** Codes of a service that may take the same a little later. */
const later = new Set(['rate-limited', 'service-failed'])

/** Why a transfer waits. */
export interface Hold {
  problem: Problem
  /** ms since 1970. */
  until: number
  attempt: number
}

interface Run {
  transferId: string
  abort: AbortController
  ended: Promise<void>
}

export interface QueuePorts {
  store: Store
  bytes: Bytes
  limiter: Limiter
  /** Throws `not-found` where there is no such connection. */
  client: (connectionId: string) => ApiClient
  /** A page's file whose bytes still come. */
  coming: (itemId: number) => Coming | null
  clock: Clock
  log: Log
  toProblem: (error: unknown) => Problem
  /** Something moved or changed. `now`: it is worth telling at once. */
  changed: (now: boolean) => void
  /** Files came to be on a server. `now`: the last of them. */
  landed: (transfer: TransferRow, now: boolean) => void
  /** A transfer has ended. */
  ended: (transfer: TransferRow) => void
}

/** Why a run was broken off, where no fault did it. */
class Stopped extends Error {}

/** Moves what waits, a few files at once, and decides what follows from what goes wrong. */
export class TransferQueue {
  atOnce = 2
  readonly #ports: QueuePorts
  readonly #runs = new Set<Run>()
  readonly #holds = new Map<string, Hold>()
  readonly #rates = new Map<string, Rate>()
  readonly #sources = new Map<number, Source>()
  /** What was checked before the first byte; null while it is being asked. */
  readonly #prepared = new Map<string, Prepared | null>()
  readonly #noBatch = new Set<string>()
  /** Items whose new state could not be written: the disk was full. */
  #unwritten: number[] = []
  #timer: NodeJS.Timeout | null = null
  #pumping: Promise<void> | null = null
  #again = false
  #closed = false

  constructor(ports: QueuePorts) {
    this.#ports = ports
  }

  hold(transferId: string): Hold | null {
    return this.#holds.get(transferId) ?? null
  }

  isRunning(transferId: string): boolean {
    return [...this.#runs].some((run) => run.transferId === transferId)
  }

  /** Bytes per second; null while nothing moves. */
  rate(transferId: string): number | null {
    if (!this.isRunning(transferId)) return null
    return this.#rates.get(transferId)?.read(this.#ports.clock.now()) ?? null
  }

  /** Looks for what can be done now. */
  pump(): void {
    this.#again = true
    this.#pumping ??= this.#pump()
      .catch((error: unknown) => {
        // The queue's own disk may be full: it is tried again, but not at once.
        this.#again = false
        this.#wakeAt(this.#ports.clock.now() + HOLD_FIRST_MS)
        this.#ports.log.error('the transfers could not go on', { err: error })
      })
      .finally(() => {
        this.#pumping = null
        // Somebody may have called between the last look and now.
        if (this.#again && !this.#closed) this.pump()
      })
  }

  /** A service that was away answers again. */
  reached(connectionId: string | null): void {
    void this.#ports.store.active().then(
      (rows) => {
        for (const row of rows) {
          const concerns =
            connectionId === null ||
            row.connectionId === connectionId ||
            row.fromConnectionId === connectionId
          const hold = this.#holds.get(row.id)
          if (concerns && hold && away.has(hold.problem.code)) hold.until = 0
        }
        this.pump()
      },
      () => undefined,
    )
  }

  /** Nothing is known any more of what was checked before the first byte. */
  forget(transferId: string): void {
    this.#prepared.delete(transferId)
    this.#holds.delete(transferId)
    this.#noBatch.delete(transferId)
  }

  /** Breaks off what runs of a transfer; afterwards its items wait. */
  async stop(transferId: string): Promise<void> {
    const runs = [...this.#runs].filter((run) => run.transferId === transferId)
    for (const run of runs) run.abort.abort(new Stopped('stopped'))
    await Promise.all(runs.map((run) => run.ended))
    this.#rates.delete(transferId)
  }

  /** Removes what a transfer has begun and not finished, here and at the service. */
  async dropBegun(row: TransferRow): Promise<void> {
    for (const item of await this.#ports.store.begun(row.id)) {
      this.#release(item)
      if (row.kind === 'download') await dropPart(item).catch(() => undefined)
      else {
        const client = this.#clientOrNull(row.connectionId)
        if (client)
          await drop({ client, transfer: row, keep: (of, change) => this.#keep(row, of, change) }, item)
      }
    }
  }

  /** Ends a transfer with nothing left to do; answers whether it has. */
  async settle(transferId: string): Promise<boolean> {
    const row = await this.#ports.store.one(transferId)
    if (row?.state !== 'active' || row.open > 0 || row.asking > 0 || row.gathering > 0) return false
    const state = row.failed > 0 ? 'failed' : 'done'
    const endedAt = new Date(this.#ports.clock.now()).toISOString()
    await this.#ports.store.changeTransfer(transferId, { state, endedAt })
    this.#end(row)
    return true
  }

  /** Fails everything of a transfer that is not ended. */
  async failAll(row: TransferRow, why: Problem): Promise<void> {
    const { store, clock } = this.#ports
    await store.changeWhere(row.id, ['waiting', 'running', 'asking', 'gathering'], {
      state: 'failed',
      problem: why,
    })
    const endedAt = new Date(clock.now()).toISOString()
    await store.changeTransfer(row.id, { state: 'failed', problem: why, endedAt })
    this.#end(row)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    const runs = [...this.#runs]
    for (const run of runs) run.abort.abort(new Stopped('closing'))
    await Promise.all(runs.map((run) => run.ended))
    await this.#pumping
    for (const source of this.#sources.values()) source.close()
  }

  #end(row: TransferRow): void {
    this.forget(row.id)
    this.#rates.delete(row.id)
    this.#ports.landed(row, true)
    this.#ports.ended(row)
    this.#ports.changed(true)
  }

  async #pump(): Promise<void> {
    const { store, clock } = this.#ports
    while (this.#again && !this.#closed) {
      this.#again = false
      if (this.#unwritten.length > 0) {
        await store.changeItems(this.#unwritten.map((id) => ({ id, values: { state: 'waiting' as const } })))
        this.#unwritten = []
      }
      let wake = Infinity
      /** Connections that are being asked for a transfer further up: what comes after it there keeps its place. */
      const asking = new Set<string>()
      for (const row of await store.active()) {
        if (row.state !== 'active') continue
        const hold = this.#holds.get(row.id)
        if (hold && hold.until > clock.now()) {
          wake = Math.min(wake, hold.until)
          continue
        }
        if (asking.has(row.connectionId)) continue
        while (this.#runs.size < this.atOnce && !this.#closed) {
          if (!(await this.#startNext(row))) break
        }
        if (this.#prepared.get(row.id) === null) asking.add(row.connectionId)
        if (this.#runs.size >= this.atOnce) break
      }
      this.#wakeAt(wake)
    }
  }

  async #startNext(row: TransferRow): Promise<boolean> {
    const { store } = this.#ports
    if (row.open === 0 && row.gathering === 0) {
      await this.settle(row.id)
      return false
    }
    const prepared = this.#prepare(row)
    if (!prepared) return false
    const batch = row.kind === 'upload' && !this.#noBatch.has(row.id) ? batchOf(prepared) : null
    const items = await store.claim(row.id, batch)
    if (items.length === 0) {
      await this.settle(row.id)
      return false
    }
    const abort = new AbortController()
    const run: Run = { transferId: row.id, abort, ended: Promise.resolve() }
    this.#runs.add(run)
    run.ended = this.#run(row, items, prepared, batch, abort.signal)
      .catch((error: unknown) => this.#notWritten(row, items, error))
      .finally(() => {
        this.#runs.delete(run)
        this.#ports.changed(false)
        this.pump()
      })
    this.#ports.changed(false)
    return true
  }

  /** What was learned before the first byte; null while that is asked, which holds up nobody else. */
  #prepare(row: TransferRow): Prepared | null {
    const known = this.#prepared.get(row.id)
    if (known !== undefined) return known
    this.#prepared.set(row.id, null)
    void this.#ask(row)
      .catch((error: unknown) => {
        this.#prepared.delete(row.id)
        this.#notWritten(row, [], error)
      })
      .finally(() => this.pump())
    return null
  }

  async #ask(row: TransferRow): Promise<void> {
    try {
      const from = row.fromConnectionId === null ? null : this.#ports.client(row.fromConnectionId)
      const asked = await prepare(row, this.#ports.client(row.connectionId), from, this.#ports.store)
      if (this.#prepared.has(row.id)) this.#prepared.set(row.id, asked)
      // Files that are too large have failed now, perhaps all of them.
      await this.settle(row.id)
    } catch (error) {
      this.#prepared.delete(row.id)
      if (this.#closed) return
      const why = this.#ports.toProblem(error)
      if (away.has(why.code) || (later.has(why.code) && why.retryable)) this.#holdBack(row.id, why)
      else await this.failAll(row, why)
    }
  }

  async #run(
    row: TransferRow,
    items: ItemRow[],
    prepared: Prepared,
    batch: BatchSize | null,
    signal: AbortSignal,
  ): Promise<void> {
    this.#rateOf(row.id).begin(this.#ports.clock.now())
    try {
      const move = this.#move(row, prepared, signal)
      const [first] = items
      if (!first) return
      const small = batch !== null && isSmall(first, batch)
      const ended = small
        ? await uploadBatch(move, items)
        : new Map([[first.id, await moveItem(move, first)]])
      for (const item of items) {
        const one = ended.get(item.id)
        if (one) await this.#apply(row, item, one)
      }
    } catch (error) {
      if (signal.aborted) await this.#wait(items)
      else await this.#fault(row, items, error, batch)
    }
    await this.settle(row.id)
  }

  async #apply(row: TransferRow, item: ItemRow, ended: Ended): Promise<void> {
    const whole = { resume: null, sent: false, problem: null }
    switch (ended.kind) {
      case 'done':
        this.#release(item)
        await this.#keep(row, item, {
          ...whole,
          state: 'done',
          bytesDone: item.size,
          finalPath: ended.finalPath,
        })
        this.#holds.delete(row.id)
        this.#ports.landed(row, false)
        return
      case 'skipped':
        this.#release(item)
        if (item.resume !== null) await this.#drop(row, item)
        return this.#keep(row, item, { ...whole, state: 'skipped', bytesDone: 0 })
      case 'asking': {
        // A choice for all may have come while this ran.
        const choice = (await this.#ports.store.one(row.id))?.choice ?? null
        const next = choice !== null && item.choice === null
        return this.#keep(row, item, next ? { state: 'waiting', choice } : { state: 'asking', sent: false })
      }
      case 'failed':
        this.#release(item)
        return this.#keep(row, item, { state: 'failed', problem: ended.problem, sent: false })
      case 'again':
        this.#release(item)
        return this.#tryAgain(row, item, ended.because)
      case 'gathering':
        await this.#ports.store.gather(item.id)
        return this.#release(item)
    }
  }

  /** What changed while it moved begins anew, a few times. */
  async #tryAgain(row: TransferRow, item: ItemRow, because: PanelProblem): Promise<void> {
    const tries = item.tries + 1
    if (tries >= TRIES_MOST) {
      return this.#keep(row, item, { state: 'failed', problem: because.problem, tries, sent: false })
    }
    let now: ItemChange = {}
    try {
      if (row.kind === 'upload') now = await statFile(item)
    } catch (error) {
      return this.#keep(row, item, { state: 'failed', problem: this.#ports.toProblem(error) })
    }
    await this.#keep(row, item, { ...now, state: 'waiting', tries })
  }

  async #fault(row: TransferRow, items: ItemRow[], error: unknown, batch: BatchSize | null): Promise<void> {
    const [item] = items
    if (!item) return
    const why = this.#ports.toProblem(localProblem(error, item.path))
    if (batch && why.code === 'unavailable' && isSmall(item, batch)) {
      this.#noBatch.add(row.id)
      return this.#wait(items)
    }
    if (why.code === 'changed' && error instanceof PanelProblem) {
      for (const one of items.filter(({ state }) => state === 'running'))
        await this.#apply(row, one, { kind: 'again', because: error })
      return
    }
    if (away.has(why.code)) {
      this.#holdBack(row.id, why)
      return this.#wait(items)
    }
    if (later.has(why.code) && why.retryable) {
      const tries = item.tries + 1
      if (tries < TRIES_MOST) {
        this.#holdBack(row.id, why)
        for (const one of items.filter(({ state }) => state === 'running'))
          await this.#keep(row, one, { state: 'waiting', tries })
        return
      }
    }
    for (const one of items.filter(({ state }) => state === 'running')) {
      this.#release(one)
      await this.#keep(row, one, {
        state: 'failed',
        problem: why,
        ...(why.code === 'invalid' && { sent: false }),
      })
    }
  }

  /** The queue's own disk does not take the new state: it is written once it does. */
  #notWritten(row: TransferRow, items: ItemRow[], error: unknown): void {
    const full = /full|SQLITE_FULL|ENOSPC/i.test(error instanceof Error ? error.message : '')
    const why = full ? localProblem({ code: 'ENOSPC' }, row.name) : error
    this.#unwritten.push(...items.filter(({ state }) => state === 'running').map(({ id }) => id))
    this.#holdBack(row.id, this.#ports.toProblem(why))
  }

  #wait(items: ItemRow[]): Promise<void> {
    const running = items.filter((item) => item.state === 'running')
    return this.#ports.store.changeItems(
      running.map(({ id }) => ({ id, values: { state: 'waiting' as const } })),
    )
  }

  #holdBack(transferId: string, why: Problem): void {
    const { clock } = this.#ports
    const attempt = (this.#holds.get(transferId)?.attempt ?? -1) + 1
    const wait =
      why.retryAfter === undefined
        ? backoffMs(attempt, HOLD_FIRST_MS, HOLD_MOST_MS, clock.random())
        : why.retryAfter * 1000
    this.#holds.set(transferId, { problem: why, until: clock.now() + wait, attempt })
    this.#rates.delete(transferId)
    this.#ports.changed(true)
    this.pump()
  }

  #wakeAt(at: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (at === Infinity || this.#closed) return
    this.#timer = setTimeout(() => this.pump(), Math.max(at - this.#ports.clock.now(), 0) + 1)
  }

  #move(row: TransferRow, { limits }: Prepared, signal: AbortSignal): Move {
    const { store, bytes, limiter } = this.#ports
    return {
      transfer: row,
      client: this.#ports.client(row.connectionId),
      from: row.fromConnectionId === null ? null : this.#ports.client(row.fromConnectionId),
      limits,
      store,
      bytes,
      limiter,
      signal,
      coming: ({ id }) => this.#ports.coming(id),
      source: (item, make) => {
        const source = this.#sources.get(item.id) ?? make()
        this.#sources.set(item.id, source)
        return source
      },
      release: (item) => this.#release(item),
      keep: (item, change) => this.#keep(row, item, change),
    }
  }

  async #keep(row: TransferRow, item: ItemRow, change: ItemChange): Promise<void> {
    const more = (change.bytesDone ?? item.bytesDone) - item.bytesDone
    if (more > 0) {
      this.#rateOf(row.id).add(more, this.#ports.clock.now())
      // It moves: the next fault is a new one.
      this.#holds.delete(row.id)
    }
    await this.#ports.store.changeItem(item.id, change)
    Object.assign(item, change)
    this.#ports.changed(change.state === 'asking')
  }

  #release(item: ItemRow): void {
    this.#sources.get(item.id)?.close()
    this.#sources.delete(item.id)
  }

  async #drop(row: TransferRow, item: ItemRow): Promise<void> {
    const client = this.#clientOrNull(row.connectionId)
    if (client) await drop({ client, transfer: row, keep: (of, change) => this.#keep(row, of, change) }, item)
  }

  #clientOrNull(connectionId: string): ApiClient | null {
    try {
      return this.#ports.client(connectionId)
    } catch {
      return null
    }
  }

  #rateOf(transferId: string): Rate {
    const rate = this.#rates.get(transferId) ?? new Rate()
    this.#rates.set(transferId, rate)
    return rate
  }
}

const isSmall = (item: ItemRow, batch: BatchSize) =>
  item.kind === 'file' && item.size <= batch.smallBytes && item.resume === null && item.choice !== 'keep-both'

function batchOf({ limits }: Prepared): BatchSize | null {
  const batch = limits?.batch
  if (!batch) return null
  return {
    maxFiles: Math.min(batch.maxFiles, BATCH_FILES),
    maxBytes: Math.min(batch.maxBytes, BATCH_BYTES),
    smallBytes: Math.min(SMALL_BYTES, limits?.maxFileBytes ?? SMALL_BYTES),
  }
}
