import { PanelProblem } from '../api/problem.ts'
import { away, type Holds, passes } from './holds.ts'
import { localProblem } from './local-problem.ts'
import type { Ended } from './move.ts'
import type { QueuePorts } from './queue-ports.ts'
import { statFile } from './source.ts'
import type { ItemChange, ItemRow, TransferRow } from './store/rows.ts'
import type { UnderWay } from './under-way.ts'

/** A service that fails, or a file that changes, is tried so often. */
const TRIES_MOST = 6

/** Nothing is left of what was begun. */
const WHOLE = { resume: null, sent: false, problem: null }

/** Of items that moved together those whose end is not known yet. */
const running = (items: ItemRow[]) => items.filter(({ state }) => state === 'running')

/** What follows when items have moved, or could not. */
export class Aftermath {
  readonly #ports: QueuePorts
  readonly #holds: Holds
  readonly #underWay: UnderWay
  /** Items whose new state could not be written: the disk was full. */
  #unwritten: number[] = []

  constructor(ports: QueuePorts, holds: Holds, underWay: UnderWay) {
    this.#ports = ports
    this.#holds = holds
    this.#underWay = underWay
  }

  /** What came of items that moved together. Those that are done are kept at once: there may be hundreds. */
  async allEnded(
    row: TransferRow,
    items: readonly ItemRow[],
    ended: ReadonlyMap<number, Ended>,
  ): Promise<void> {
    const done: { item: ItemRow; change: ItemChange }[] = []
    for (const item of items) {
      const one = ended.get(item.id)
      if (one?.kind === 'done')
        done.push({
          item,
          change: { ...WHOLE, state: 'done', bytesDone: item.size, finalPath: one.finalPath },
        })
    }
    if (done.length > 0) {
      for (const { item } of done) this.#underWay.release(item)
      await this.#underWay.keepAll(row, done)
      this.#holds.delete(row.id)
      this.#ports.landed(row, false)
    }
    for (const item of items) {
      const one = ended.get(item.id)
      if (one && one.kind !== 'done') await this.#ended(row, item, one)
    }
  }

  async #ended(row: TransferRow, item: ItemRow, ended: Exclude<Ended, { kind: 'done' }>): Promise<void> {
    const keep = (change: ItemChange) => this.#underWay.keep(row, item, change)
    switch (ended.kind) {
      case 'skipped':
        this.#underWay.release(item)
        if (item.resume !== null) await this.#underWay.drop(row, item)
        return keep({ ...WHOLE, state: 'skipped', bytesDone: 0 })
      case 'asking': {
        // A choice for all may have come while this ran.
        const choice = (await this.#ports.store.one(row.id))?.choice ?? null
        const next = choice !== null && item.choice === null
        return keep(next ? { state: 'waiting', choice } : { state: 'asking', sent: false })
      }
      case 'failed':
        this.#underWay.release(item)
        return keep({ state: 'failed', problem: ended.problem, sent: false })
      case 'again':
        this.#underWay.release(item)
        return this.#tryAgain(row, item, ended.because)
      case 'gathering':
        await this.#ports.store.gather(item.id)
        return this.#underWay.release(item)
    }
  }

  /** A fault broke off items that moved together: some wait for the service, some are tried again, the others fail. */
  async broken(row: TransferRow, items: ItemRow[], error: unknown): Promise<void> {
    const [item] = items
    if (!item) return
    const why = this.#ports.toProblem(localProblem(error, item.path))
    if (why.code === 'changed' && error instanceof PanelProblem) {
      for (const one of running(items)) await this.#ended(row, one, { kind: 'again', because: error })
      return
    }
    if (away.has(why.code)) {
      this.holdBack(row.id, why)
      return this.wait(items)
    }
    const tries = item.tries + 1
    if (passes(why) && tries < TRIES_MOST) {
      this.holdBack(row.id, why)
      for (const one of running(items)) await this.#underWay.keep(row, one, { state: 'waiting', tries })
      return
    }
    for (const one of running(items)) {
      this.#underWay.release(one)
      const sent = why.code === 'invalid' && { sent: false }
      await this.#underWay.keep(row, one, { state: 'failed', problem: why, ...sent })
    }
  }

  /** Nothing came of these: they wait for their next turn. */
  wait(items: ItemRow[]): Promise<void> {
    return this.#ports.store.changeItems(
      running(items).map(({ id }) => ({ id, values: { state: 'waiting' as const } })),
    )
  }

  /** The transfer waits before it is tried again. */
  holdBack(transferId: string, why: Parameters<Holds['add']>[1]): void {
    this.#holds.add(transferId, why)
    this.#underWay.stands(transferId)
    this.#ports.changed(true)
  }

  /** The queue's own disk does not take the new state: it is written once it does. */
  notWritten(row: TransferRow, items: ItemRow[], error: unknown): void {
    this.#unwritten.push(...running(items).map(({ id }) => id))
    this.holdBack(row.id, this.#ports.toProblem(localProblem(error, row.name)))
  }

  /** Writes what could not be written before. */
  async writeAgain(): Promise<void> {
    if (this.#unwritten.length === 0) return
    await this.#ports.store.changeItems(
      this.#unwritten.map((id) => ({ id, values: { state: 'waiting' as const } })),
    )
    this.#unwritten = []
  }

  /** What changed while it moved begins anew, a few times. */
  async #tryAgain(row: TransferRow, item: ItemRow, because: PanelProblem): Promise<void> {
    const keep = (change: ItemChange) => this.#underWay.keep(row, item, change)
    const tries = item.tries + 1
    if (tries >= TRIES_MOST) {
      return keep({ state: 'failed', problem: because.problem, tries, sent: false })
    }
    let now: ItemChange = {}
    try {
      if (row.kind === 'upload') now = await statFile(item)
    } catch (error) {
      return keep({ state: 'failed', problem: this.#ports.toProblem(error) })
    }
    await keep({ ...now, state: 'waiting', tries })
  }
}
