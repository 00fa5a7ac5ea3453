import type { Player, PlayerStats } from '../../../../contract/bridge/values.ts'
import { compareByNumber } from '../../../core/compare-by-number.ts'

export const parts = ['now', 'known', 'whitelist', 'ops', 'bans'] as const
export type Part = (typeof parts)[number]

export interface Entry {
  /** UUID, or the name without one. */
  id: string
  player: Player
  stats: PlayerStats | null
}

export const isIn: Record<Part, (player: Player) => boolean> = {
  now: ({ online }) => online === true,
  known: () => true,
  whitelist: ({ whitelisted }) => whitelisted === true,
  ops: ({ op }) => op === true,
  bans: ({ banned }) => Boolean(banned),
}

export const idOf = ({ uuid, name }: { uuid?: string | null | undefined; name: string }): string =>
  uuid ?? name

export interface SortedPlayers {
  entries: readonly Entry[]
  counts: Readonly<Record<Part, number>>
}

/** Cached per response, because sorting thousands delays the tab. */
const kept = new WeakMap<readonly Player[], { locale: string; sorted: SortedPlayers }>()

export function sortedPlayers(players: readonly Player[], locale: string): SortedPlayers {
  const known = kept.get(players)
  if (known?.locale === locale) return known.sorted
  const sorted = sort(players, locale)
  kept.set(players, { locale, sorted })
  return sorted
}

function sort(players: readonly Player[], locale: string): SortedPlayers {
  const seen = new Set<string>()
  const entries: Entry[] = []
  const counts = { now: 0, known: 0, whitelist: 0, ops: 0, bans: 0 }
  for (const player of players) {
    const id = idOf(player)
    if (seen.has(id)) continue
    seen.add(id)
    entries.push({ id, player, stats: null })
    for (const part of parts) if (isIn[part](player)) counts[part] += 1
  }
  const { compare } = new Intl.Collator(locale, { numeric: true })
  entries.sort(({ player: { name: a } }, { player: { name: b } }) => compareByNumber(a, b) || compare(a, b))
  return { entries, counts }
}

/** Matches by UUID, or by name if the service gives no UUIDs. */
export function withStats(entries: readonly Entry[], counted: readonly PlayerStats[]): readonly Entry[] {
  if (counted.length === 0) return entries
  const stats = new Map<string, PlayerStats>()
  for (const one of counted) if (!stats.has(idOf(one))) stats.set(idOf(one), one)
  return entries.map(({ id, player }) => ({
    ...{ id, player },
    stats: stats.get(id) ?? stats.get(player.name) ?? null,
  }))
}
