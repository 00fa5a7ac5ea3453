import type { ApiClient } from '../../api/client.ts'
import { removePart } from '../download/download.ts'
import type { Backoff } from '../../base/backoff.ts'
import type { TransferContext } from '../items/context.ts'
import type { Preflight } from './preflight.ts'
import type { QueuePorts } from './ports.ts'
import type { Source } from '../sources/local-file.ts'
import type { ItemChange, ItemRow, TransferRow } from '../store/rows.ts'
import { abandonUpload } from '../send/tus.ts'

export const WHOLE = { resume: null, sent: false, problem: null }

/** Started items: open sources, confirmed bytes and rates. */
export class InFlight {
  readonly #ports: QueuePorts
  readonly #backoff: Backoff
  readonly #rates = new Map<string, Rate>()
  readonly #itemRates = new Map<string, Map<number, Rate>>()
  readonly #sources = new Map<number, Source>()

  constructor(ports: QueuePorts, backoff: Backoff) {
    this.#ports = ports
    this.#backoff = backoff
  }

  rate(transferId: string): number | null {
    return this.#rates.get(transferId)?.read(this.#ports.clock.elapsed()) ?? null
  }

  itemRate({ transferId, id }: ItemRow): number | null {
    return this.#itemRates.get(transferId)?.get(id)?.read(this.#ports.clock.elapsed()) ?? null
  }

  stands(transferId: string): void {
    this.#rates.delete(transferId)
    this.#itemRates.delete(transferId)
  }

  begin(
    row: TransferRow,
    items: readonly ItemRow[],
    { limits }: Preflight,
    signal: AbortSignal,
  ): TransferContext {
    const { store, bytes, limiter, spoolFolder, client, growing, clock } = this.#ports
    this.#rateOf(row.id).begin(clock.elapsed())
    const rates = this.#itemRates.get(row.id) ?? new Map<number, Rate>()
    this.#itemRates.set(row.id, rates)
    // Items sent together are confirmed only as a whole.
    const [only] = items
    if (only && items.length === 1) {
      const rate = new Rate()
      rate.begin(clock.elapsed())
      rates.set(only.id, rate)
    }
    return {
      transfer: row,
      client: client(row.connectionId),
      from: row.fromConnectionId === null ? null : client(row.fromConnectionId),
      limits,
      store,
      bytes,
      limiter,
      signal,
      spoolFolder,
      growing: ({ id }) => growing(id),
      source: (item, make) => {
        const source = this.#sources.get(item.id) ?? make()
        this.#sources.set(item.id, source)
        return source
      },
      release: (item) => this.release(item),
      keep: (item, change) => this.keep(row, item, change),
    }
  }

  keep(row: TransferRow, item: ItemRow, change: ItemChange): Promise<void> {
    return this.keepAll(row, [{ item, change }])
  }

  /** All or none. */
  async keepAll(row: TransferRow, told: readonly { item: ItemRow; change: ItemChange }[]): Promise<void> {
    const changes = told.map(({ item, change }) => ({ item, change: furthered(item, change) }))
    const now = this.#ports.clock.elapsed()
    const rates = this.#itemRates.get(row.id)
    let more = 0
    for (const { item, change } of changes) {
      const bytes = (change.bytesDone ?? item.bytesDone) - item.bytesDone
      if (bytes > 0) rates?.get(item.id)?.add(bytes, now)
      if (change.state !== undefined && change.state !== 'running') rates?.delete(item.id)
      more += Math.max(bytes, 0)
    }
    if (more > 0) this.#rateOf(row.id).add(more, now)
    if (more > 0 || changes.some(({ item, change }) => (change.reached ?? 0) > item.reached))
      this.#backoff.delete(row.id)
    await this.#ports.store.changeItems(changes.map(({ item, change }) => ({ id: item.id, values: change })))
    for (const { item, change } of changes) Object.assign(item, change)
    this.#ports.changed(changes.some(({ change }) => change.state === 'asking'))
  }

  /** `moved`: paths that differ from the request, by item id. */
  async keepDone(
    row: TransferRow,
    items: readonly ItemRow[],
    moved: ReadonlyMap<number, string>,
  ): Promise<void> {
    const now = this.#ports.clock.elapsed()
    const rates = this.#itemRates.get(row.id)
    const more = items.reduce((sum, { size, bytesDone }) => sum + Math.max(size - bytesDone, 0), 0)
    if (more > 0) this.#rateOf(row.id).add(more, now)
    for (const { id } of items) rates?.delete(id)
    await this.#ports.store.done(
      items.map(({ id }) => id),
      moved,
    )
    for (const item of items)
      Object.assign(item, {
        ...WHOLE,
        state: 'done',
        bytesDone: item.size,
        finalPath: moved.get(item.id) ?? null,
      })
    this.#ports.changed(false)
  }

  release(item: ItemRow): void {
    this.#sources.get(item.id)?.close()
    this.#sources.delete(item.id)
  }

  /** Removes partial results, also at the service if it is reachable before the signal. */
  async abandon(row: TransferRow, item: ItemRow, signal?: AbortSignal): Promise<void> {
    this.release(item)
    const keep = (of: ItemRow, change: ItemChange) => this.keep(row, of, change)
    if (row.kind === 'download') {
      await removePart(item).catch(() => undefined)
      return keep(item, { resume: null, etag: null, bytesDone: 0 })
    }
    const client = this.#clientOrNull(row.connectionId)
    if (client) await abandonUpload({ client, transfer: row, keep, ...(signal ? { signal } : {}) }, item)
  }

  close(): void {
    for (const source of this.#sources.values()) source.close()
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

/** Progress beyond `reached` resets the failure count. */
function furthered(item: ItemRow, change: ItemChange): ItemChange {
  const reached = change.reached ?? change.bytesDone ?? 0
  return reached > item.reached ? { ...change, reached, tries: 0 } : change
}

const WINDOW_MS = 5000

/** Recent bytes per second, as confirmed by the receiver. */
export class Rate {
  #marks: { at: number; bytes: number }[] = []

  add(bytes: number, now: number): void {
    this.#marks.push({ at: now, bytes })
  }

  begin(now: number): void {
    if (this.#marks.length === 0) this.#marks.push({ at: now, bytes: 0 })
  }

  stop(): void {
    this.#marks = []
  }

  /** Null before anything moved. */
  read(now: number): number | null {
    const since = now - WINDOW_MS
    // Keep the last mark before the window: time counts from there.
    while (this.#marks.length > 1 && (this.#marks[1]?.at ?? now) <= since) this.#marks.shift()
    const [first, ...later] = this.#marks
    if (!first || later.length === 0) return null
    const sum = later.reduce((total, { bytes }) => total + bytes, 0)
    const span = now - Math.max(first.at, since)
    return sum === 0 ? null : Math.round((sum * 1000) / Math.max(span, 50))
  }
}
