import type { ActivityEntry } from '../../../contract/areas/activity.ts'
import { asProblem, call, Problem, readView } from '../../core/bridge.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'

/** Filters reach older entries. */
const LOADED_MOST = 5000
const HOUR = 60 * 60 * 1000
export const times = { day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const
export const kinds = ['servers', 'console', 'players', 'files', 'access'] as const

export interface Filter {
  actor: string
  area: '' | (typeof kinds)[number]
  time: '' | keyof typeof times
}
const NOTHING: Filter = { actor: '', area: '', time: '' }

interface OlderEntries {
  entries: readonly ActivityEntry[]
  more: boolean | 'perhaps'
  /** No new entries: the service ignores `before` and would repeat them forever. */
  again: boolean
}

/** A server's log: a live newest page, and older pages on demand. */
export class ActivityList {
  readonly #server: ServerState
  filter = $state.raw<Filter>(NOTHING)
  #since = $state.raw<string | undefined>(undefined)
  #older = $state.raw<OlderEntries | null>(null)
  #reading = $state(false)
  #problem = $state.raw<Problem | null>(null)
  /** Last shown entries, so that those leaving the newest page stay. */
  #kept: readonly ActivityEntry[] = []
  readonly people: LiveView<'activity.people'>

  constructor(server: ServerState) {
    this.#server = server
    this.people = new LiveView('activity.people', { ...this.#at })
  }

  get #at() {
    const { connectionId, serverId } = this.#server
    return { connectionId, params: { serverId } }
  }

  readonly #query = $derived.by(() => {
    const { actor, area } = this.filter
    const since = this.#since
    return { ...(actor && { actor }), ...(area && { area }), ...(since && { since }) }
  })

  readonly view = $derived(new LiveView('activity.list', { ...this.#at, query: this.#query }))

  readonly entries = $derived.by(() => {
    const newest = this.view.value?.items ?? []
    const older = this.#older
    this.#kept = joined(newest, older ? [...this.#kept, ...older.entries] : this.#kept)
    return this.#kept
  })

  readonly filtered = $derived(Object.values(this.filter).some((one) => one !== ''))

  readonly #beyond = $derived(this.#older ? this.#older.more : this.view.value?.more)

  readonly more = $derived(
    this.entries.length < LOADED_MOST &&
      typeof this.entries.at(-1)?.id === 'string' &&
      this.#beyond === true &&
      this.#older?.again !== true,
  )

  readonly end = $derived.by((): 'all' | 'perhaps' | 'enough' | 'not-told' => {
    if (this.#beyond === 'perhaps') return 'perhaps'
    if (this.#beyond !== true) return 'all'
    return this.entries.length >= LOADED_MOST ? 'enough' : 'not-told'
  })

  get reading(): boolean {
    return this.#reading
  }

  get problem(): Problem | null {
    return this.#problem
  }

  show(filter: Partial<Filter>): void {
    const next = { ...this.filter, ...filter }
    this.#kept = []
    this.#older = null
    this.#problem = null
    // Computed once: a moving bound would make a new view on each read.
    this.#since = next.time === '' ? undefined : new Date(Date.now() - times[next.time]).toISOString()
    this.filter = next
  }

  showAll(): void {
    this.show(NOTHING)
  }

  /** Never throws; see `problem`. */
  async readOlder(): Promise<void> {
    const before = this.entries.at(-1)?.id
    if (this.#reading || !this.more || typeof before !== 'string') return
    this.#reading = true
    this.#problem = null
    const { view } = this
    const input = { ...this.#at, query: { ...this.#query, before } }
    try {
      // An unread cache would return nothing.
      const { value, problem } = await readView('activity.list', input, true)
      if (view !== this.view) return
      if (problem && value === null) this.#problem = new Problem(problem)
      else if (value) {
        const known = new Set(this.entries.map(({ id }) => id))
        const again = value.items.every(({ id }) => known.has(id))
        this.#older = { entries: value.items, more: value.more, again }
      }
    } catch (thrown) {
      if (view === this.view) this.#problem = asProblem(thrown)
    } finally {
      this.#reading = false
      // A one-time read; don't follow the server.
      void call('view.leave', { view: 'activity.list', ...input }).catch(() => undefined)
    }
  }
}

/** The newest page plus previously shown entries, unless there is a gap between them. */
function joined(newest: readonly ActivityEntry[], before: readonly ActivityEntry[]): ActivityEntry[] {
  const last = newest.at(-1)?.id
  const at = typeof last !== 'string' ? -1 : before.findLastIndex(({ id }) => id === last)
  if (at === -1) return [...newest]
  const seen = new Set(newest.map(({ id }) => id))
  return [
    ...newest,
    ...before.slice(at + 1).filter(({ id }) => {
      if (typeof id !== 'string' || seen.has(id)) return false
      seen.add(id)
      return true
    }),
  ]
}
