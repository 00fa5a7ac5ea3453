import { isDeepStrictEqual } from 'node:util'
import type { ReadId, ViewId } from '../../../contract/areas/index.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { ViewEvent } from '../../../contract/bridge/events.ts'
import { isOneOfMany, viewOperations } from '../../../contract/bridge/passed.ts'
import type { NamedView, ViewValue } from '../../../contract/bridge/passed.ts'
import type { Problem } from '../../../contract/bridge/problem.ts'
import type { View } from '../../../contract/bridge/values.ts'
import { namedBy, viewKey } from '../../../contract/rules/view-key.ts'
import { type Clock, systemClock } from '../../base/retry.ts'
import type { Cache } from './cache.ts'
import { LruViews, type CachedView, itemsOf, stopTimers, viewOf, ShownViews } from './held-view.ts'
import { Retries } from './retries.ts'
import { ViewDisk } from './view-disk.ts'

export interface TaggedValue {
  value: unknown
  tag: string | null
}

export interface ViewSource {
  /** Throws a `PanelProblem`. */
  read(named: NamedView): Promise<TaggedValue>
  madeOf(view: ViewId): readonly ReadId[]
  /** Forgets what the service doesn't offer in the view's areas. */
  askAgain(named: NamedView): void
  isShaped(view: ViewId, value: unknown): boolean
}

/** Younger values, in ms, aren't refreshed when shown. */
const FRESH_FOR = 1500
const READ_AGAIN = 3
/** Delay of the refresh after a write, in ms: its own answer comes first. */
const REREAD_AFTER = 100
/** After a connection came back. */
const REFRESHED_AT_ONCE = 4
/** Interval for saving live changes and large views, in ms. */
const SAVE_AFTER = 300
const HELD_MOST = 10_000
/** Refreshed after every reconnect, even if not shown: event streams depend on it. */
const ALWAYS: ViewId = 'servers.list'

export interface ViewStoreOptions {
  cache: Cache
  source: ViewSource
  emit: (event: ViewEvent) => void
  toProblem: (error: unknown) => Problem
  now: () => number
  clock?: Clock
  isReady?: (connectionId: string) => boolean
  /** Adds what is newer elsewhere, before a value is shown. */
  join?: (named: NamedView, value: unknown) => unknown
}

/** Serves views from memory or disk, and refreshes them in the background. Retries failed visible ones. */
export class ViewStore {
  readonly #held = new Map<string, Promise<CachedView>>()
  readonly #options: ViewStoreOptions
  readonly #crowd = new LruViews()
  readonly #shown = new ShownViews()
  readonly #disk: ViewDisk
  readonly #retries: Retries

  constructor(options: ViewStoreOptions) {
    this.#options = options
    this.#disk = new ViewDisk(options.cache, (view, value) => options.source.isShaped(view, value))
    this.#retries = new Retries({
      clock: options.clock ?? systemClock,
      isReady: options.isReady ?? (() => true),
      isShown: (key) => this.#shown.has(key),
      read: async (key) => {
        const held = await this.#hold(namedBy(key) as NamedView)
        this.#crowdIn(held)
        await this.#refresh(held)
        return held.view.problem
      },
    })
  }

  /** Returns the cached view and refreshes in the background; `by` is the window, `again` awaits the service. */
  async read<V extends ViewId>(named: NamedView<V>, by?: object, again = false): Promise<View<ViewValue<V>>> {
    const { keep } = operationOf(named)
    if (again && keep === 'never') this.#options.source.askAgain(named)
    if (keep === 'never') return (await this.#readOnce(named)) as View<ViewValue<V>>
    // Register first: the window may leave while we wait.
    if (by) this.#shown.show(viewKey(named), by)
    const held = await this.#hold(named)
    this.#crowdIn(held)
    // If the clock was set back, the date is in the future and the age unknown.
    const age = held.view.asOf ? Math.abs(this.#options.now() - Date.parse(held.view.asOf)) : Infinity
    if (again) await this.#refreshAnew(held)
    else if (held.view.stale || held.view.problem || age > FRESH_FOR) void this.#refreshOrWait(held)
    return held.view as View<ViewValue<V>>
  }

  leave(named: NamedView, by: object): void {
    this.#shown.leave(viewKey(named), by)
  }

  serversShown(view: ViewId, connectionId: string): string[] {
    return this.#shown.keys().flatMap((key) => {
      const { view: shown, connectionId: at, params } = namedBy(key) as Required<NamedView>
      return shown === view && at === connectionId && params['serverId'] ? [params['serverId']] : []
    })
  }

  detach(by: object): void {
    this.#shown.detach(by)
  }

  wake(): void {
    this.#retries.wake()
  }

  /** Awaits the service; the view contains the problem if that fails. */
  async refresh<V extends ViewId>(named: NamedView<V>): Promise<View<ViewValue<V>>> {
    const held = await this.#hold(named)
    await this.#refresh(held)
    if (held.saving) await this.#save(held)
    return held.view as View<ViewValue<V>>
  }

  /** Updates a part of the value. Views never read are left alone. */
  async change<V extends ViewId>(
    named: NamedView<V>,
    next: (value: ViewValue<V>) => ViewValue<V>,
  ): Promise<void> {
    const held = await this.#hold(named)
    if (held.view.value === null) return
    held.version++
    this.#changed(held, next(held.view.value as ViewValue<V>))
  }

  /** Shows what `join` would now add. Pending answers stay valid, since they are joined too. */
  async rejoin(named: NamedView, isStored: boolean): Promise<void> {
    const held = await (isStored ? this.#hold(named) : this.#held.get(viewKey(named)))
    if (held) this.#changed(held, this.#joined(held.named, held.view.value))
  }

  #changed(held: CachedView, value: unknown): void {
    // A reconnecting stream repeats everything; don't send unchanged lists to the windows.
    if (value === held.view.value || isDeepStrictEqual(value, held.view.value)) return
    this.#set(held, { ...held.view, value })
    this.#saveSoon(held)
  }

  async put<V extends ViewId>(
    named: NamedView<V>,
    value: ViewValue<V>,
    tag: string | null = null,
  ): Promise<void> {
    const held = await this.#hold(named)
    held.version++
    this.#set(held, viewOf(held, { value, tag }, this.#options.now()))
    this.#saveSoon(held)
  }

  /** Refreshes those in memory, except older large ones. */
  async markStale(reads: readonly ReadId[], connectionId: string, serverId?: string): Promise<void> {
    const recent = this.#crowd.recent()
    for (const pending of [...this.#held.values()]) {
      const held = await pending
      const { view, params } = held.named
      if (held.named.connectionId !== connectionId) continue
      if (!this.#options.source.madeOf(view).some((id) => reads.includes(id))) continue
      if (params.serverId !== undefined && serverId !== undefined && params.serverId !== serverId) continue
      held.version++
      held.view = { ...held.view, stale: true }
      if (isOneOfMany(held.op) && !recent.has(held.key)) continue
      held.rereading ??= setTimeout(() => {
        held.rereading = null
        void this.#refresh(held)
      }, REREAD_AFTER)
    }
  }

  /** Refreshes the shown views and the server list, a few at a time. */
  async refreshConnection(connectionId: string): Promise<void> {
    const all = await Promise.all(this.#held.values())
    const wanted: CachedView[] = []
    for (const held of all.filter(({ named }) => named.connectionId === connectionId)) {
      if (held.named.view === ALWAYS || this.#shown.has(held.key)) wanted.push(held)
      else held.view = { ...held.view, stale: true }
    }
    const lane = async () => {
      for (let held = wanted.shift(); held; held = wanted.shift()) await this.#refresh(held)
    }
    await Promise.all(Array.from({ length: REFRESHED_AT_ONCE }, lane))
  }

  /** In memory only; the caller clears the disk. */
  async forget(connectionId: string, serverId?: string): Promise<void> {
    for (const [key, pending] of [...this.#held]) {
      const held = await pending
      if (held.named.connectionId !== connectionId) continue
      if (serverId !== undefined && held.named.params.serverId !== serverId) continue
      stopTimers(held)
      this.#held.delete(key)
      this.#crowd.forget(key)
      this.#retries.forget(connectionId, key)
    }
  }

  async close(): Promise<void> {
    this.#retries.close()
    for (const pending of this.#held.values()) {
      const held = await pending
      const unsaved = held.saving !== null
      stopTimers(held)
      if (unsaved) await this.#save(held)
    }
  }

  #crowdIn(held: CachedView): void {
    if (!isOneOfMany(held.op)) return
    for (const key of this.#crowd.show(held.key, itemsOf(held.view))) this.#letGo(key)
  }

  #letGo(key: string): void {
    void this.#held.get(key)?.then((held) => {
      if (this.#crowd.has(key)) return
      if (held.saving) void this.#save(held)
      stopTimers(held)
      this.#held.delete(key)
    })
  }

  /** Views managed by `LruViews` evict each other. */
  #oldest(): string {
    for (const key of this.#held.keys()) if (!this.#crowd.has(key)) return key
    return ''
  }

  #hold(named: NamedView): Promise<CachedView> {
    const key = viewKey(named)
    const known = this.#held.get(key)
    if (known) return known
    if (this.#held.size >= HELD_MOST) this.#letGo(this.#oldest())
    const op = operationOf(named)
    const pending = this.#disk.read(op, key).then((view): CachedView => {
      const all = namedBy(key) as Required<NamedView>
      return {
        ...{ named: all, key, op, view: { ...view, value: this.#joined(all, view.value) } },
        ...{ refreshing: null, version: 0, saving: null, rereading: null },
      }
    })
    this.#held.set(key, pending)
    return pending
  }

  async #readOnce(named: NamedView): Promise<View<unknown>> {
    const { source, now, toProblem } = this.#options
    try {
      const { value } = await source.read(named)
      return { value, asOf: new Date(now()).toISOString(), stale: false, problem: null }
    } catch (error) {
      return { value: null, asOf: null, stale: true, problem: toProblem(error) }
    }
  }

  async #refreshAnew(held: CachedView): Promise<void> {
    // A running refresh may rely on what is now forgotten.
    await held.refreshing
    this.#options.source.askAgain(held.named)
    await this.#refreshOrWait(held)
  }

  #refresh(held: CachedView): Promise<void> {
    held.refreshing ??= this.#fetch(held).finally(() => (held.refreshing = null))
    return held.refreshing
  }

  /** Refreshes, or shows the problem until the service may be asked again. */
  #refreshOrWait(held: CachedView): Promise<void> {
    const why = this.#retries.wanted(held.named.connectionId, held.key)
    if (!why) return this.#refresh(held)
    this.#set(held, { ...held.view, stale: true, problem: why })
    return Promise.resolve()
  }

  async #fetch(held: CachedView): Promise<void> {
    const { source, now, toProblem } = this.#options
    try {
      for (let round = 1; ; round++) {
        const version = held.version
        const read = await source.read(held.named)
        // Newer data arrived during the request; the answer may be older.
        if (held.version !== version && round < READ_AGAIN) continue
        this.#set(held, viewOf(held, read, now()))
        this.#retries.succeeded(held.named.connectionId, held.key)
        // Never awaited here: what goes stale meanwhile would wait for this read, and not be read again.
        this.#saveSoon(held)
        return
      }
    } catch (error) {
      const problem = toProblem(error)
      this.#set(held, { ...held.view, stale: true, problem })
      if (this.#held.has(held.key)) this.#retries.failed(held.named.connectionId, held.key, problem)
    }
  }

  #joined(named: NamedView, value: unknown): unknown {
    return value === null ? null : (this.#options.join?.(named, value) ?? value)
  }

  #set(held: CachedView, { ...view }: View<unknown>): void {
    view.value = this.#joined(held.named, view.value)
    held.view = view
    this.#crowd.count(held.key, itemsOf(view))
    this.#options.emit({ ...held.named, now: view } as ViewEvent)
  }

  #saveSoon(held: CachedView): void {
    held.saving ??= setTimeout(() => void this.#save(held), SAVE_AFTER)
  }

  async #save(held: CachedView): Promise<void> {
    if (held.saving) clearTimeout(held.saving)
    held.saving = null
    // A forgotten view must not return to the disk.
    if (this.#held.has(held.key)) await this.#disk.write(held.op, held.key, held.named, held.view)
  }
}

function operationOf({ view }: NamedView): Operation {
  const op = viewOperations.get(view)
  if (!op) throw new Error(`There is no view ${view}.`)
  return op
}
