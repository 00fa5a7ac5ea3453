import type { ViewEvent } from '../../contract/bridge/events.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { View, ViewKind, Views } from '../../contract/bridge/values.ts'
import { type Clock, systemClock } from '../api/retry.ts'
import { storedJson } from '../databases/stored-json.ts'
import type { Cache } from './cache.ts'
import { Retries } from './retries.ts'
import { type Named, namedBy, viewKey } from './view-key.ts'
import { isShaped } from './view-shape.ts'

/** How each view is read from the service. */
export type ViewSources = { [K in ViewKind]: (input: Views[K]['input']) => Promise<Views[K]['value']> }

interface Held {
  kind: ViewKind
  input: Named
  view: View<unknown>
  /** The refresh under way, so that ten readers cost one request. */
  refreshing: Promise<void> | null
  /** Counts changes from elsewhere, so that a slow answer does not undo a newer one. */
  version: number
  /** A save that waits for the next one. */
  saving: NodeJS.Timeout | null
  /** A refresh that waits, so that ten commands in a row cost one. */
  rereading: NodeJS.Timeout | null
}

/** A value this young, in ms, is not read again just because it is shown. */
const FRESH_FOR = 1500
/** How often a refresh is tried where live changes overtake it. */
const READ_AGAIN = 3
/** A view that went stale is read again so long after, in ms: the answer to the mutation itself comes first. */
const REREAD_AFTER = 100
/**
 * Folders held in memory, and those of them that are read again when they go stale: what somebody may be looking at. The
 * others wait until they are shown.
 */
const HELD_FOLDERS = 24
const SHOWN_FOLDERS = 4
/** So many views are read at once where a connection came back. */
const REFRESHED_AT_ONCE = 4
/** Entries of all folders held in memory, unless the few shown last have more: 20,000 take some 7 MB. */
const HELD_ENTRIES = 20_000
/** Live changes and folders are saved at most this often, in ms. */
const SAVE_AFTER = 300

/** Views that the contract calls otherwise: of a server's files, every folder is a view. */
const viewOf: Record<string, string> = {
  'servers.list': 'servers',
  'servers.read': 'server',
  'servers.status': 'status',
  'files.list': 'folder',
  'files.limits': 'limits',
  'files.trash': 'trash',
  files: 'folder',
}

export interface ViewStoreOptions {
  cache: Cache
  sources: ViewSources
  /** Told of every change of a view. */
  emit: (event: ViewEvent) => void
  toProblem: (error: unknown) => Problem
  now: () => number
  /** Time and chance of the tries again. */
  clock?: Clock
  /** Whether a connection can be asked now. Default: each can. */
  isReady?: (connectionId: string) => boolean
}

/**
 * Views answer from here first and are refreshed behind. A view that was shown in this run is held in memory and is
 * refreshed by itself when a mutation makes it stale; the others are on disk and stale by age. What somebody looks at and
 * could not be read is tried again until it could.
 */
export class ViewStore {
  readonly #held = new Map<string, Promise<Held>>()
  readonly #options: ViewStoreOptions
  /** How many entries each folder that is held has, by its key; the one shown last at the end. */
  readonly #folders = new Map<string, number>()
  /** By key: the windows that show it. */
  readonly #shownBy = new Map<string, Set<object>>()
  readonly #retries: Retries

  constructor(options: ViewStoreOptions) {
    this.#options = options
    this.#retries = new Retries({
      clock: options.clock ?? systemClock,
      isReady: options.isReady ?? (() => true),
      isShown: (key) => this.#shownBy.has(key),
      read: async (key) => {
        const [kind, input] = namedBy(key)
        const held = await this.#hold(kind, input)
        if (kind === 'folder') this.#showFolder(held)
        await this.#refresh(held)
        return held.view.problem
      },
    })
  }

  /** The view as it is cached, at once; a refresh begins behind it. `by`: the window that shows it, until it leaves. */
  async read<K extends ViewKind>(
    kind: K,
    input: Views[K]['input'],
    by?: object,
  ): Promise<View<Views[K]['value']>> {
    // Before anything is waited for: whoever leaves at once has to find it.
    if (by) this.#show(viewKey(kind, input), by)
    const held = await this.#hold(kind, input)
    if (kind === 'folder') this.#showFolder(held)
    // A clock that was set back leaves it dated in the future: then nobody knows how old it is.
    const age = held.view.asOf ? Math.abs(this.#options.now() - Date.parse(held.view.asOf)) : Infinity
    const isOld = held.view.stale || held.view.problem || age > FRESH_FOR
    if (isOld) this.#refreshOrWait(held)
    return held.view as View<Views[K]['value']>
  }

  /** A window no longer shows a view. */
  leave(kind: ViewKind, input: Named, by: object): void {
    this.#unshow(viewKey(kind, input), by)
  }

  /** A window is gone. */
  detach(by: object): void {
    for (const key of [...this.#shownBy.keys()]) this.#unshow(key, by)
  }

  /** The network came back: what failed is tried again now. */
  wake(): void {
    this.#retries.wake()
  }

  /** Reads the view from the service now; answers it afterwards, with a problem where that failed. */
  async refresh<K extends ViewKind>(kind: K, input: Views[K]['input']): Promise<View<Views[K]['value']>> {
    const held = await this.#hold(kind, input)
    await this.#refresh(held)
    if (held.saving) await this.#save(held)
    return held.view as View<Views[K]['value']>
  }

  /** Puts a value that was just received, from a mutation's answer or the live stream. */
  async change<K extends ViewKind>(
    kind: K,
    input: Views[K]['input'],
    next: (value: Views[K]['value'] | null) => Views[K]['value'] | null,
  ): Promise<void> {
    const held = await this.#hold(kind, input)
    const value = next(held.view.value as Views[K]['value'] | null)
    if (value === null || value === held.view.value) return
    held.version++
    // A status is told as a whole, so it is as of now; what is told of a list or a server is a part of it.
    const asOf = kind === 'status' ? new Date(this.#options.now()).toISOString() : held.view.asOf
    this.#set(held, { ...held.view, value, asOf })
    this.#saveSoon(held)
  }

  /** Marks views stale after a mutation, and reads again those that were shown. `names` are those of the contract. */
  async markStale(names: readonly string[], connectionId: string, serverId?: string): Promise<void> {
    const kinds = names.map((name) => viewOf[name] ?? name)
    const shown = this.#shownFolders()
    for (const pending of [...this.#held.values()]) {
      const held = await pending
      if (held.input.connectionId !== connectionId || !kinds.includes(held.kind)) continue
      if (held.input.serverId !== undefined && serverId !== undefined && held.input.serverId !== serverId)
        continue
      held.version++
      held.view = { ...held.view, stale: true }
      if (held.kind === 'folder' && !shown.has(viewKey(held.kind, held.input))) continue
      held.rereading ??= setTimeout(() => {
        held.rereading = null
        void this.#refresh(held)
      }, REREAD_AFTER)
    }
  }

  /** Reads again what is shown of a connection, and its list, after it came back: a few at a time. */
  async refreshConnection(connectionId: string): Promise<void> {
    const all = await Promise.all(this.#held.values())
    const wanted: Held[] = []
    for (const held of all.filter(({ input }) => input.connectionId === connectionId)) {
      if (held.kind === 'servers' || this.#shownBy.has(viewKey(held.kind, held.input))) wanted.push(held)
      else held.view = { ...held.view, stale: true }
    }
    const lane = async () => {
      for (let held = wanted.shift(); held; held = wanted.shift()) await this.#refresh(held)
    }
    await Promise.all(Array.from({ length: REFRESHED_AT_ONCE }, lane))
  }

  /** Forgets the views of a connection, or of one of its servers. The disk is the caller's. */
  async forget(connectionId: string, serverId?: string): Promise<void> {
    for (const [key, pending] of [...this.#held]) {
      const held = await pending
      if (held.input.connectionId !== connectionId) continue
      if (serverId !== undefined && held.input.serverId !== serverId) continue
      stopTimers(held)
      this.#held.delete(key)
      this.#folders.delete(key)
      this.#retries.forget(connectionId, key)
    }
  }

  /** Saves what waits. */
  async close(): Promise<void> {
    this.#retries.close()
    for (const pending of this.#held.values()) {
      const held = await pending
      const unsaved = held.saving !== null
      stopTimers(held)
      if (unsaved) await this.#save(held)
    }
  }

  #show(key: string, by: object): void {
    const windows = this.#shownBy.get(key) ?? new Set()
    this.#shownBy.set(key, windows.add(by))
  }

  #unshow(key: string, by: object): void {
    const windows = this.#shownBy.get(key)
    windows?.delete(by)
    if (windows?.size === 0) this.#shownBy.delete(key)
  }

  /** Folders are many and can be large: those that were shown longest ago are let go. */
  #showFolder(held: Held): void {
    const key = viewKey(held.kind, held.input)
    this.#folders.delete(key)
    this.#folders.set(key, entriesOf(held))
    let entries = [...this.#folders.values()].reduce((sum, count) => sum + count, 0)
    for (const [oldest, count] of this.#folders) {
      const isLarge = this.#folders.size > SHOWN_FOLDERS && entries > HELD_ENTRIES
      if (this.#folders.size <= HELD_FOLDERS && !isLarge) return
      entries -= count
      this.#folders.delete(oldest)
      void this.#held.get(oldest)?.then((gone) => {
        if (this.#folders.has(oldest)) return
        if (gone.saving) void this.#save(gone)
        stopTimers(gone)
        this.#held.delete(oldest)
      })
    }
  }

  #shownFolders(): Set<string> {
    return new Set([...this.#folders.keys()].slice(-SHOWN_FOLDERS))
  }

  #hold(kind: ViewKind, input: Named): Promise<Held> {
    const key = viewKey(kind, input)
    let pending = this.#held.get(key)
    if (!pending) {
      const { connectionId, serverId, path } = input
      pending = this.#stored(kind, key).then((stored) => ({
        kind,
        input: {
          connectionId,
          ...(serverId === undefined ? {} : { serverId }),
          ...(path === undefined ? {} : { path }),
        },
        view: { value: stored?.value ?? null, asOf: stored?.asOf ?? null, stale: true, problem: null },
        refreshing: null,
        version: 0,
        saving: null,
        rereading: null,
      }))
      this.#held.set(key, pending)
    }
    return pending
  }

  /** What the disk holds of a view. What cannot be read is as good as nothing: one bad record costs only itself. */
  async #stored(kind: ViewKind, key: string): Promise<{ value: unknown; asOf: string } | null> {
    try {
      const stored = await this.#options.cache.readView(key)
      // What a fault of the disk has made unreadable is read from the service again, as what was never read.
      const value = storedJson(stored?.value ?? null)
      return stored && isShaped(kind, value) ? { value, asOf: stored.asOf } : null
    } catch {
      return null
    }
  }

  #refresh(held: Held): Promise<void> {
    held.refreshing ??= this.#fetch(held).finally(() => (held.refreshing = null))
    return held.refreshing
  }

  /** Reads a view that is shown again, or when its service may be asked: meanwhile it says why, and for how long. */
  #refreshOrWait(held: Held): void {
    const why = this.#retries.wanted(held.input.connectionId, viewKey(held.kind, held.input))
    if (!why) void this.#refresh(held)
    else this.#set(held, { ...held.view, stale: true, problem: why })
  }

  async #fetch(held: Held): Promise<void> {
    const source = this.#options.sources[held.kind] as (input: unknown) => Promise<unknown>
    try {
      for (let round = 1; ; round++) {
        const version = held.version
        const value = await source(held.input)
        // Something newer came in while the answer was on its way: the answer may be older than what is shown.
        if (held.version !== version && round < READ_AGAIN) continue
        const asOf = new Date(this.#options.now()).toISOString()
        this.#set(held, { value, asOf, stale: false, problem: null })
        this.#retries.succeeded(held.input.connectionId, viewKey(held.kind, held.input))
        // A folder can be large: whoever waits to see it goes first.
        if (held.kind === 'folder') this.#saveSoon(held)
        else await this.#save(held)
        return
      }
    } catch (error) {
      const problem = this.#options.toProblem(error)
      this.#set(held, { ...held.view, stale: true, problem })
      const key = viewKey(held.kind, held.input)
      // One that was forgotten meanwhile is nobody's any more.
      if (this.#held.has(key)) this.#retries.failed(held.input.connectionId, key, problem)
    }
  }

  #set(held: Held, view: View<unknown>): void {
    held.view = view
    if (held.kind === 'folder' && this.#folders.has(viewKey(held.kind, held.input)))
      this.#folders.set(viewKey(held.kind, held.input), entriesOf(held))
    this.#options.emit({ view: held.kind, input: held.input, now: view } as ViewEvent)
  }

  #saveSoon(held: Held): void {
    held.saving ??= setTimeout(() => void this.#save(held), SAVE_AFTER)
  }

  /** Never rejects: what cannot be saved was read all the same, is held in memory, and its service has it. */
  async #save(held: Held): Promise<void> {
    if (held.saving) clearTimeout(held.saving)
    held.saving = null
    const key = viewKey(held.kind, held.input)
    // A view that was forgotten meanwhile must not come back to the disk.
    if (!this.#held.has(key) || held.view.value === null || held.view.asOf === null) return
    const view = { value: JSON.stringify(held.view.value), asOf: held.view.asOf }
    const { connectionId, serverId } = held.input
    const { cache } = this.#options
    await cache
      .writeView(key, connectionId, serverId ?? null, view, held.kind === 'folder')
      .catch(() => undefined)
  }
}

function entriesOf({ view }: Held): number {
  return (view.value as Views['folder']['value'] | null)?.entries.length ?? 0
}

function stopTimers(held: Held): void {
  if (held.saving) clearTimeout(held.saving)
  if (held.rereading) clearTimeout(held.rereading)
  held.saving = null
  held.rereading = null
}
