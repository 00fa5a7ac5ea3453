import type { Player, PlayerStats } from '../../../../contract/bridge/values.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { locale } from '../../../messages/t.svelte.ts'
import { ListState } from '../../../ui/list/list-state.svelte.ts'
import { type Entry, isIn, type Part, parts, playedFor, sortedPlayers, withStats } from './sorted-players.ts'

export type SortKey = 'playtime' | 'seen' | 'until'

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

export class PlayerList extends ListState<Entry, SortKey> {
  readonly server: ServerState
  /** If the service has no list, shows players with statistics; the UI says so. */
  readonly view: LiveView<'players.list'>
  readonly stats: LiveView<'players.stats'>
  readonly #sessions: LiveView<'players.sessions'>
  part = $state<Part>('known')

  constructor(server: ServerState, view: LiveView<'players.list'>) {
    super()
    this.server = server
    this.view = view
    const asked = { connectionId: server.connectionId, params: { serverId: server.serverId } }
    this.stats = new LiveView('players.stats', asked)
    this.#sessions = new LiveView('players.sessions', asked)
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

  /** After the statistics. Of a part of the sessions no sum is a total. */
  readonly #visits = $derived.by(() => {
    if (this.stats.kind === 'loading') return []
    const { items = [], leftOut = [], more = true } = this.#sessions.value ?? {}
    return leftOut.length === 0 && more === false ? items : []
  })

  readonly entries = $derived(withStats(this.#sorted.entries, this.#counted, this.#visits))

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

  protected isShown({ player }: Entry, wanted: string): boolean {
    if (!isIn[this.part](player)) return false
    return (
      wanted === '' ||
      player.name.toLowerCase().includes(wanted) ||
      (player.uuid?.toLowerCase().startsWith(wanted) ?? false)
    )
  }

  protected sortValue(key: SortKey): (entry: Entry) => number {
    return values[key]
  }

  show(part: Part): void {
    this.part = part
    this.selection.none()
    if (part !== 'bans' && this.order.key === 'until') this.order = { key: 'name', descending: false }
    if (part === 'bans' && (this.order.key === 'playtime' || this.order.key === 'seen'))
      this.order = { key: 'name', descending: false }
  }
}

const NOBODY: readonly Player[] = []
const asPlayer = ({ name, uuid }: PlayerStats): Player => ({ name, uuid })

const timeOf = (at: string | null | undefined): number => (at ? Date.parse(at) : 0)

const values: Record<SortKey, (entry: Entry) => number> = {
  playtime: (entry) => playedFor(entry, Date.now()) ?? -1,
  seen: ({ player }) => (player.online ? Infinity : timeOf(player.lastSeen)),
  until: ({ player }) => (player.banned?.until ? timeOf(player.banned.until) : Infinity),
}
