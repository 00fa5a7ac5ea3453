import type { PlayerSession, Player } from '../../../../contract/bridge/values.ts'

/** In ms since 1970. */
export interface Visit {
  from: number
  to: number
  open: boolean
}

/** Newest first; visits that end before they begin are dropped. */
export function visitsOf(sessions: readonly PlayerSession[], now: number): Visit[] {
  return sessions
    .map(({ joinedAt, leftAt }) => ({
      from: Date.parse(joinedAt),
      // If the service's clock is ahead, an open visit has just begun.
      to: leftAt ? Date.parse(leftAt) : Math.max(now, Date.parse(joinedAt)),
      open: !leftAt,
    }))
    .filter(({ from, to }) => from <= to)
    .sort((a, b) => b.from - a.from)
}

/** Hours per day, oldest first, with each day's start in seconds since 1970. */
export function hoursByDay(
  visits: readonly Visit[],
  days: number,
  now: number,
): { at: number[]; hours: number[] } {
  const today = new Date(now)
  const at: number[] = []
  const hours: number[] = []
  for (let back = days - 1; back >= 0; back--) {
    const begin = new Date(today.getFullYear(), today.getMonth(), today.getDate() - back).getTime()
    const end = new Date(today.getFullYear(), today.getMonth(), today.getDate() - back + 1).getTime()
    let length = 0
    for (const { from, to } of visits) length += Math.max(0, Math.min(to, end) - Math.max(from, begin))
    at.push(begin / 1000)
    hours.push(length / 3_600_000)
  }
  return { at, hours }
}

type PlayerIdentity = Pick<Player, 'name' | 'uuid'>

/** UUIDs compare without hyphens and case. */
const plain = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()

/** By UUID if both have one, else by name. */
export function isOf(one: PlayerIdentity, player: PlayerIdentity): boolean {
  if (one.uuid && player.uuid) return plain(one.uuid) === plain(player.uuid)
  return one.name.toLowerCase() === player.name.toLowerCase()
}
