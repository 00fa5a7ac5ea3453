import type { Player, PlayerStats } from '../../../../contract/bridge/values.ts'
import { compareByNumber } from '../../../core/compare-by-number.ts'

/** The parts of the list, in the order of their tabs. */
export const parts = ['now', 'known', 'whitelist', 'ops', 'bans'] as const
export type Part = (typeof parts)[number]

/** A row: a player, and what is counted of them. */
export interface Entry {
  /** What tells players apart: the uuid, or the name where there is none. */
  id: string
  player: Player
  stats: PlayerStats | null
}

/** What stands in each part. */
export const isIn: Record<Part, (player: Player) => boolean> = {
  now: ({ online }) => online === true,
  known: () => true,
  whitelist: ({ whitelisted }) => whitelisted === true,
  ops: ({ op }) => op === true,
  bans: ({ banned }) => Boolean(banned),
}

export const idOf = ({ uuid, name }: { uuid?: string | null | undefined; name: string }): string =>
  uuid ?? name

/** Everybody, each once, by name, without what is counted of them; and how many stand in each part. */
export interface SortedPlayers {
  entries: readonly Entry[]
  counts: Readonly<Record<Part, number>>
}

/** By the answer they came with. Of thousands they are most of what lies between a click and the picture. */
const kept = new WeakMap<readonly Player[], { locale: string; sorted: SortedPlayers }>()

/** Puts the players of an answer in order, once: what was done before the list is shown is not done again. */
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

/** The same with what is counted of each: by uuid, or by name where a service tells no uuid. */
export function withStats(entries: readonly Entry[], counted: readonly PlayerStats[]): readonly Entry[] {
  if (counted.length === 0) return entries
  const stats = new Map<string, PlayerStats>()
  for (const one of counted) if (!stats.has(idOf(one))) stats.set(idOf(one), one)
  return entries.map(({ id, player }) => ({
    ...{ id, player },
    stats: stats.get(id) ?? stats.get(player.name) ?? null,
  }))
}
