import type { ServerRef } from '../../../contract/bridge/values.ts'
import { PanelProblem } from '../../base/problem.ts'
import { Settlement } from './settle.ts'
import { isSmall, uploadBatch } from '../send/batch.ts'
import { away, type Delay, Backoff, passes } from '../../base/backoff.ts'
import { sendItem } from '../send/send-item.ts'
import { type Preflight, Preflights } from './preflight.ts'
import type { QueuePorts } from './ports.ts'
import type { BatchSize, ItemRow, TransferRow } from '../store/rows.ts'
import { InFlight } from './in-flight.ts'

interface TransferRun {
  transferId: string
  abort: AbortController
  ended: Promise<void>
  items: readonly ItemRow[]
}

class StopSignal extends Error {}

/** Moves waiting items in order of the transfers, a few at a time. */
export class TransferQueue {
  atOnce = 2
  readonly #ports: QueuePorts
  readonly #runs = new Set<TransferRun>()
  readonly #backoff: Backoff
  readonly #inFlight: InFlight
  readonly #settlement: Settlement
  readonly #preflights: Preflights
  #pumping: Promise<void> | null = null
  #again = false
  #open = false

  constructor(ports: QueuePorts) {
    this.#ports = ports
    this.#backoff = new Backoff(ports.clock, () => this.pump())
    this.#inFlight = new InFlight(ports, this.#backoff)
    this.#settlement = new Settlement(ports, this.#backoff, this.#inFlight)
    this.#preflights = new Preflights(ports, (row, fault) => void this.#checked(row, fault))
  }

  start(): void {
    this.#open = true
    this.pump()
  }

  /** Why a transfer waits; null if it may continue. */
  delay(transferId: string): Delay | null {
    return this.#backoff.get(transferId)
  }

  isRunning(transferId: string): boolean {
    return [...this.#runs].some((run) => run.transferId === transferId)
  }

  /** Bytes per second; null while idle. */
  rate(transferId: string): number | null {
    return this.isRunning(transferId) ? this.#inFlight.rate(transferId) : null
  }

  itemRate(item: ItemRow): number | null {
    return item.state === 'running' ? this.#inFlight.itemRate(item) : null
  }

  pump(): void {
    if (!this.#open) return
    this.#again = true
    this.#pumping ??= this.#pump()
      .catch((error: unknown) => {
        // The disk may be full: retry later.
        this.#again = false
        this.#backoff.wakeSoon()
        this.#ports.log.error('the transfers could not go on', { err: error })
      })
      .finally(() => {
        this.#pumping = null
        // A call may have come in during the last pass.
        if (this.#again) this.pump()
      })
  }

  reached(connectionId: string | null): void {
    this.#wake(
      (row) => connectionId === null || [row.connectionId, row.fromConnectionId].includes(connectionId),
      (id) => this.#backoff.reached(id),
    )
  }

  /** The server is neither starting nor stopping any more. */
  settled({ connectionId, serverId }: ServerRef): void {
    this.#wake(
      (row) => row.connectionId === connectionId && row.serverId === serverId,
      (id) => this.#backoff.settled(id),
    )
  }

  #wake(concerns: (row: TransferRow) => boolean, wake: (transferId: string) => void): void {
    void this.#ports.store.active().then(
      (rows) => {
        for (const row of rows) if (concerns(row)) wake(row.id)
        this.pump()
      },
      () => undefined,
    )
  }

  forget(transferId: string): void {
    this.#preflights.forget(transferId)
    this.#backoff.delete(transferId)
  }

  async stop(transferId: string): Promise<void> {
    await this.#stop([...this.#runs].filter((run) => run.transferId === transferId))
    this.#inFlight.stands(transferId)
  }

  /** Removes unfinished results, here and, until the signal, at the service. */
  async abandonBegun(row: TransferRow, signal?: AbortSignal): Promise<void> {
    for (const item of await this.#ports.store.begun(row.id)) await this.#inFlight.abandon(row, item, signal)
  }

  /** Ends a transfer that has nothing left to do; returns whether it did. */
  async settle(transferId: string): Promise<boolean> {
    const row = await this.#ports.store.settle(transferId, this.#now())
    if (row) this.#end(row)
    return row !== null
  }

  async close(): Promise<void> {
    this.#open = false
    this.#backoff.close()
    await this.#stop([...this.#runs])
    await this.#pumping
    this.#inFlight.close()
  }

  async #stop(runs: TransferRun[]): Promise<void> {
    for (const run of runs) run.abort.abort(new StopSignal('stopped'))
    await Promise.all(runs.map((run) => run.ended))
  }

  #now(): string {
    return new Date(this.#ports.clock.now()).toISOString()
  }

  #end(row: TransferRow): void {
    this.forget(row.id)
    this.#inFlight.stands(row.id)
    this.#ports.landed(row, true)
    this.#ports.ended(row)
    this.#ports.changed(true)
  }

  async #pump(): Promise<void> {
    while (this.#again && this.#open) {
      this.#again = false
      await this.#settlement.writeAgain()
      let wake = Infinity
      /** Connections with a pending preflight: later transfers keep their place. */
      const asking = new Set<string>()
      for (const row of await this.#ports.store.active()) {
        if (row.state !== 'active') continue
        const delay = this.#backoff.get(row.id)
        if (delay) {
          wake = Math.min(wake, delay.until)
          continue
        }
        if (asking.has(row.connectionId)) continue
        while (this.#runs.size < this.atOnce && this.#open) {
          if (!(await this.#startNext(row))) break
        }
        if (this.#preflights.isAsking(row.id)) asking.add(row.connectionId)
        if (this.#runs.size >= this.atOnce) break
      }
      this.#backoff.wakeAt(wake)
    }
  }

  async #startNext(row: TransferRow): Promise<boolean> {
    const { store } = this.#ports
    if (row.open === 0 && row.gathering === 0) {
      await this.settle(row.id)
      return false
    }
    const preflight = this.#preflights.of(row)
    if (!preflight) return false
    if (row.open === 0) return false
    const batch = this.#preflights.batch(row, preflight)
    const abort = new AbortController()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const run: TransferRun = { transferId: row.id, abort, ended, items: [] }
    // Register before claiming, so that `stop` waits for this run.
    this.#runs.add(run)
    const over = () => {
      this.#runs.delete(run)
      end()
    }
    const busy = [...this.#runs].flatMap((one) => one.items.map(({ id }) => id))
    const items = await store.claim(row.id, batch, busy).catch((error: unknown) => {
      over()
      throw error
    })
    if (items.length === 0) {
      over()
      await this.settle(row.id)
      return false
    }
    run.items = items
    void this.#run(row, items, preflight, batch, abort.signal)
      .catch((error: unknown) => this.#settlement.notWritten(row, items, error))
      .finally(() => {
        over()
        this.#ports.changed(false)
        this.pump()
      })
    this.#ports.changed(false)
    return true
  }

  async #checked(row: TransferRow, fault: unknown): Promise<void> {
    try {
      if (fault === null) await this.settle(row.id)
      else if (this.#open) {
        const why = this.#ports.toProblem(fault)
        if (away.has(why.code) || passes(why)) this.#settlement.backOff(row.id, why)
        else {
          const failed = await this.#ports.store.fail(row.id, why, this.#now())
          if (failed) this.#end(failed)
        }
      }
    } catch (error) {
      this.#preflights.forget(row.id)
      this.#settlement.notWritten(row, [], error)
    }
    this.pump()
  }

  async #run(
    row: TransferRow,
    items: ItemRow[],
    preflight: Preflight,
    batch: BatchSize | null,
    signal: AbortSignal,
  ): Promise<void> {
    const [first] = items
    if (!first) return
    const together = batch !== null && isSmall(first, batch)
    try {
      signal.throwIfAborted()
      const context = this.#inFlight.begin(row, items, preflight, signal)
      const ended = together
        ? await uploadBatch(context, items)
        : new Map([[first.id, await sendItem(context, first)]])
      await this.#settlement.allEnded(row, items, ended)
    } catch (error) {
      // The service refused batches: send the same files one by one.
      const apart = together && error instanceof PanelProblem && error.problem.code === 'unavailable'
      if (apart) this.#preflights.noBatch(row.id)
      if (apart || signal.aborted) await this.#settlement.wait(items)
      else await this.#settlement.broken(row, items, error)
    }
    await this.settle(row.id)
  }
}
