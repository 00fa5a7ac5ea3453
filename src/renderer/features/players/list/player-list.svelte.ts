import type { Player, PlayerStats } from '../../../../contract/bridge/values.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { locale } from '../../../messages/t.svelte.ts'
import { Selection } from '../../../ui/list/selection.svelte.ts'
import { type Entry, isIn, type Part, parts, sortedPlayers, withStats } from './sorted-players.ts'

export type SortKey = 'name' | 'playtime' | 'seen' | 'until'

const files = { whitelist: 'whitelist.json', ops: 'ops.json', bans: 'banned-players.json' } satisfies Partial<
  Record<Part, string>
>
const hasFile = (part: Part): part is keyof typeof files => part in files

/** Whether the service states membership in a part. No mention of a ban means none. */
const tells = {
  now: ({ online }) => typeof online === 'boolean',
  whitelist: ({ whitelisted }) => typeof whitelisted === 'boolean',
  ops: ({ op }) => typeof op === 'boolean',
} satisfies Partial<Record<Part, (player: Player) => boolean>>
export type OptionalPart = keyof typeof tells
const told = Object.keys(tells) as OptionalPart[]

export class PlayerList {
  readonly server: ServerState
  /** If the service has no list, shows players with statistics; the UI says so. */
  readonly view: LiveView<'players.list'>
  readonly stats: LiveView<'players.stats'>
  part = $state<Part>('known')
  filter = $state('')
  order = $state.raw<{ key: SortKey; descending: boolean }>({ key: 'name', descending: false })
  readonly selection = new Selection(() => this.ids)

  constructor(server: ServerState, view: LiveView<'players.list'>) {
    this.server = server
    this.view = view
    const asked = { connectionId: server.connectionId, params: { serverId: server.serverId } }
    this.stats = new LiveView('players.stats', asked)
    if (server.isOnline) this.part = 'now'
  }

  readonly fromStats = $derived.by(
    () => this.view.value === null && this.view.problem?.code === 'unavailable',
  )

  /** Loaded after the list: reading thousands of statistics files would delay it. */
  readonly #counted = $derived.by(() =>
    this.view.value !== null || this.fromStats ? (this.stats.value?.items ?? []) : [],
  )

  readonly #sorted = $derived.by(() =>
    sortedPlayers(
      this.view.value?.items ?? (this.fromStats ? this.#counted.map(asPlayer) : NOBODY),
      locale(),
    ),
  )

  readonly entries = $derived(withStats(this.#sorted.entries, this.#counted))

  readonly counts = $derived(this.#sorted.counts)

  readonly #untold = $derived(
    new Set<Part>(
      this.entries.length === 0
        ? []
        : told.filter((part) => !this.entries.some(({ player }) => tells[part](player))),
    ),
  )

  isUntold(part: Part): part is OptionalPart {
    return this.#untold.has(part)
  }

  readonly #unreadable = $derived.by(() => new Set(this.view.value?.unreadable))

  unreadableFile(part: Part): string | null {
    return hasFile(part) && this.#unreadable.has(part) ? files[part] : null
  }

  readonly unreadableFiles = $derived([
    ...parts.flatMap((part) => this.unreadableFile(part) ?? []),
    ...(this.#unreadable.has('usercache') ? ['usercache.json'] : []),
  ])

  countOf(part: Part): number | null {
    const count = this.counts[part]
    return this.isUntold(part) || (count === 0 && this.unreadableFile(part) !== null) ? null : count
  }

  readonly rows = $derived.by((): Entry[] => {
    const wanted = this.filter.trim().toLowerCase()
    const isHere = isIn[this.part]
    const shown = this.entries.filter(
      ({ player }) =>
        isHere(player) &&
        (wanted === '' ||
          player.name.toLowerCase().includes(wanted) ||
          (player.uuid?.toLowerCase().startsWith(wanted) ?? false)),
    )
    return inOrder(shown, this.order)
  })

  readonly ids = $derived(this.rows.map(({ id }) => id))

  readonly selected = $derived.by((): Entry[] => {
    const names = new Set(this.selection.names)
    return names.size === 0 ? [] : this.rows.filter(({ id }) => names.has(id))
  })

  sortBy(key: SortKey): void {
    // Longest play time or latest visit first.
    const first = key === 'playtime' || key === 'seen'
    this.order = { key, descending: this.order.key === key ? !this.order.descending : first }
  }

  show(part: Part): void {
    this.part = part
    this.selection.none()
    if (part !== 'bans' && this.order.key === 'until') this.order = { key: 'name', descending: false }
    if (part === 'bans' && (this.order.key === 'playtime' || this.order.key === 'seen'))
      this.order = { key: 'name', descending: false }
  }

  entryOf(id: string): Entry | null {
    return this.entries.find((entry) => entry.id === id) ?? null
  }
}

const NOBODY: readonly Player[] = []
const asPlayer = ({ name, uuid }: PlayerStats): Player => ({ name, uuid })

const timeOf = (at: string | null | undefined): number => (at ? Date.parse(at) : 0)

const values: Record<Exclude<SortKey, 'name'>, (entry: Entry) => number> = {
  playtime: ({ stats }) => stats?.playTimeSeconds ?? -1,
  seen: ({ player }) => (player.online ? Infinity : timeOf(player.lastSeen)),
  until: ({ player }) => (player.banned?.until ? timeOf(player.banned.until) : Infinity),
}

/** Stable sort: ties keep the order of names. */
function inOrder(entries: Entry[], { key, descending }: { key: SortKey; descending: boolean }): Entry[] {
  if (key === 'name') return descending ? entries.reverse() : entries
  const value = values[key]
  const turn = descending ? -1 : 1
  // Infinity - Infinity is NaN.
  return entries
    .map((entry) => ({ entry, by: value(entry) }))
    .sort((a, b) => (a.by === b.by ? 0 : turn * (a.by < b.by ? -1 : 1)))
    .map(({ entry }) => entry)
}
