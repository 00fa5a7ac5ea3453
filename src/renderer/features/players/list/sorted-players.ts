import type { Player, PlayerSession, PlayerStats } from '../../../../contract/bridge/values.ts'
import { compareByNumber } from '../../../core/compare-by-number.ts'

export const parts = ['now', 'known', 'whitelist', 'ops', 'bans'] as const
export type Part = (typeof parts)[number]

export interface Entry {
  /** UUID, or the name without one. */
  id: string
  player: Player
  stats: PlayerStats | null
  /** From the recorded sessions, if all of them are known. */
  time: TimeOn | null
}

export interface TimeOn {
  /** Total of the ended sessions, in ms. */
  ended: number
  /** Start of the current session, epoch ms. */
  since: number | null
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
    entries.push({ id, player, stats: null, time: null })
    for (const part of parts) if (isIn[part](player)) counts[part] += 1
  }
  const { compare } = new Intl.Collator(locale, { numeric: true })
  entries.sort(({ player: { name: a } }, { player: { name: b } }) => compareByNumber(a, b) || compare(a, b))
  return { entries, counts }
}

/** Matches by UUID, or by name if the service gives no UUIDs. */
export function withStats(
  entries: readonly Entry[],
  counted: readonly PlayerStats[],
  sessions: readonly PlayerSession[],
): readonly Entry[] {
  if (counted.length === 0 && sessions.length === 0) return entries
  const stats = new Map<string, PlayerStats>()
  for (const one of counted) if (!stats.has(idOf(one))) stats.set(idOf(one), one)
  const times = timesOn(sessions)
  return entries.map(({ id, player }) => ({
    ...{ id, player },
    stats: stats.get(id) ?? stats.get(player.name) ?? null,
    time: times.get(id) ?? times.get(player.name) ?? null,
  }))
}

function timesOn(sessions: readonly PlayerSession[]): Map<string, TimeOn> {
  const times = new Map<string, TimeOn>()
  for (const session of sessions) {
    const id = idOf(session)
    const time = times.get(id) ?? { ended: 0, since: null }
    times.set(id, time)
    const from = Date.parse(session.joinedAt)
    if (session.leftAt) time.ended += Math.max(0, Date.parse(session.leftAt) - from)
    else time.since = Math.max(time.since ?? 0, from)
  }
  return times
}

/** Ms on the server: what the game counted, otherwise the sum of all sessions; null if neither is known. */
export function playedFor({ stats, time, player }: Entry, now: number): number | null {
  if (typeof stats?.playTimeSeconds === 'number') return stats.playTimeSeconds * 1000
  if (time === null) return null
  return time.ended + (player.online && time.since !== null ? Math.max(0, now - time.since) : 0)
}
