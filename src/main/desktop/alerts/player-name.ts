import type { Player } from '../../../contract/areas/players.ts'
import type { PlayersEvent } from '../facts.ts'

/** Whoever left longer ago isn't the one who has just left. */
const JUST_MS = 2 * 60_000

/** Who joined or left, where the players of the server leave no doubt. */
export function playerNameOf(
  { kind, count, online }: PlayersEvent,
  players: readonly Player[],
  now: number,
): string | null {
  const on = players.filter((one) => one.online === true)
  // Otherwise somebody came or went meanwhile, or the list is incomplete.
  if (count !== 1 || on.length !== online) return null
  const times = kind === 'joined' ? on.map(timeOf('onlineSince')) : away(players).map(timeOf('lastSeen'))
  if (kind === 'joined' && times.some(({ at }) => at === 0)) return null
  const newest = times.toSorted((one, other) => other.at - one.at)[0]
  if (!newest || (kind === 'left' && Math.abs(now - newest.at) > JUST_MS)) return null
  return newest.name
}

const away = (players: readonly Player[]) => players.filter((one) => one.online === false)

const timeOf = (field: 'onlineSince' | 'lastSeen') => (player: Player) => ({
  name: player.name,
  at: Date.parse(player[field] ?? '') || 0,
})
