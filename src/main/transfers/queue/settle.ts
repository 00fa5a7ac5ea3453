import { PanelProblem } from '../../base/problem.ts'
import { away, type Backoff, passes } from '../../base/backoff.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import type { ItemOutcome } from '../items/context.ts'
import type { QueuePorts } from './ports.ts'
import { statFile } from '../sources/local-file.ts'
import type { ItemChange, ItemRow, TransferRow } from '../store/rows.ts'
import { type InFlight, WHOLE } from './in-flight.ts'

/** Attempts without progress, or with a source that keeps changing. */
const TRIES_MOST = 6

const running = (items: ItemRow[]) => items.filter(({ state }) => state === 'running')

export class Settlement {
  readonly #ports: QueuePorts
  readonly #backoff: Backoff
  readonly #inFlight: InFlight
  #unwritten: number[] = []

  constructor(ports: QueuePorts, backoff: Backoff, inFlight: InFlight) {
    this.#ports = ports
    this.#backoff = backoff
    this.#inFlight = inFlight
  }

  /** Records finished items in one step: there may be hundreds. */
  async allEnded(
    row: TransferRow,
    items: readonly ItemRow[],
    ended: ReadonlyMap<number, ItemOutcome>,
  ): Promise<void> {
    const done: ItemRow[] = []
    const moved = new Map<number, string>()
    for (const item of items) {
      const one = ended.get(item.id)
      if (one?.kind !== 'done') continue
      done.push(item)
      if (one.finalPath !== null) moved.set(item.id, one.finalPath)
    }
    if (done.length > 0) {
      for (const item of done) this.#inFlight.release(item)
      await this.#inFlight.keepDone(row, done, moved)
      this.#backoff.delete(row.id)
      this.#ports.landed(row, false)
    }
    for (const item of items) {
      const one = ended.get(item.id)
      if (one && one.kind !== 'done') await this.#ended(row, item, one, done.length > 0)
    }
  }

  /** @param moved others of the same request succeeded */
  async #ended(
    row: TransferRow,
    item: ItemRow,
    ended: Exclude<ItemOutcome, { kind: 'done' }>,
    moved = false,
  ): Promise<void> {
    const keep = (change: ItemChange) => this.#inFlight.keep(row, item, change)
    switch (ended.kind) {
      case 'skipped':
        this.#inFlight.release(item)
        if (item.resume !== null) await this.#inFlight.abandon(row, item)
        return keep({ ...WHOLE, state: 'skipped', bytesDone: 0 })
      case 'asking': {
        // The user may have chosen for all meanwhile.
        const choice = (await this.#ports.store.one(row.id))?.choice ?? null
        const next = choice !== null && item.choice === null
        return keep(next ? { state: 'waiting', choice } : { state: 'asking', sent: false })
      }
      case 'failed':
        this.#inFlight.release(item)
        return keep({ state: 'failed', problem: ended.problem, sent: false })
      case 'again':
        this.#inFlight.release(item)
        return this.#tryAgain(row, item, ended.because, moved)
      case 'later':
        return keep({ state: 'waiting' })
      case 'gathering':
        this.#inFlight.release(item)
        // It may already be arriving again.
        return this.#ports.growing(item.id)?.hasFailed === false
          ? this.wait([item])
          : this.#ports.gather(item)
    }
  }

  /** A request failed: its items wait for the service, are retried or fail. */
  async broken(row: TransferRow, items: ItemRow[], error: unknown): Promise<void> {
    const [item] = items
    if (!item) return
    const why = this.#ports.toProblem(fsProblem(error, item.path))
    if (why.code === 'changed' && error instanceof PanelProblem) {
      for (const one of running(items)) await this.#ended(row, one, { kind: 'again', because: error })
      return
    }
    if (away.has(why.code)) {
      this.backOff(row.id, why)
      return this.wait(items)
    }
    const [again, over] = [[] as ItemRow[], [] as ItemRow[]]
    for (const one of running(items)) (passes(why) && one.tries + 1 < TRIES_MOST ? again : over).push(one)
    if (again.length > 0) {
      this.backOff(row.id, why)
      const waits = again.map((item) => ({
        item,
        change: { state: 'waiting' as const, tries: item.tries + 1 },
      }))
      await this.#inFlight.keepAll(row, waits)
    }
    for (const one of over) {
      this.#inFlight.release(one)
      const sent = why.code === 'invalid' && { sent: false }
      await this.#inFlight.keep(row, one, { state: 'failed', problem: why, ...sent })
    }
  }

  wait(items: ItemRow[]): Promise<void> {
    return this.#ports.store.changeAll(
      running(items).map(({ id }) => id),
      { state: 'waiting' },
    )
  }

  backOff(transferId: string, why: Parameters<Backoff['add']>[1]): void {
    this.#backoff.add(transferId, why)
    this.#inFlight.stands(transferId)
    this.#ports.changed(true)
  }

  #backOffOnce(transferId: string, why: Parameters<Backoff['add']>[1]): void {
    if (!this.#backoff.get(transferId)) this.backOff(transferId, why)
  }

  /** The disk is full: store the new state later. */
  notWritten(row: TransferRow, items: ItemRow[], error: unknown): void {
    this.#unwritten.push(...running(items).map(({ id }) => id))
    this.backOff(row.id, this.#ports.toProblem(fsProblem(error, row.name)))
  }

  async writeAgain(): Promise<void> {
    if (this.#unwritten.length === 0) return
    await this.#ports.store.changeAll(this.#unwritten, { state: 'waiting' })
    this.#unwritten = []
  }

  async #tryAgain(row: TransferRow, item: ItemRow, because: PanelProblem, moved: boolean): Promise<void> {
    const keep = (change: ItemChange) => this.#inFlight.keep(row, item, change)
    const why = because.problem
    if (away.has(why.code)) {
      this.#backOffOnce(row.id, why)
      return keep({ state: 'waiting' })
    }
    // Count changes separately: each version makes progress, so it would never end.
    const count: ItemChange =
      why.code === 'changed'
        ? { changes: item.changes + 1, reached: 0 }
        : { tries: moved && !passes(why) ? 0 : item.tries + 1 }
    if ((count.changes ?? count.tries ?? 0) >= TRIES_MOST) {
      return keep({ ...count, state: 'failed', problem: why, sent: false })
    }
    if (passes(why)) this.#backOffOnce(row.id, why)
    let now: ItemChange = {}
    try {
      if (row.kind === 'upload') now = await statFile(item)
    } catch (error) {
      return keep({ state: 'failed', problem: this.#ports.toProblem(error) })
    }
    await keep({ ...now, ...count, state: 'waiting' })
  }
}
