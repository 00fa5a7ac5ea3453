import type { Player } from '../../../../contract/bridge/values.ts'

type PlayerIdentity = Pick<Player, 'name' | 'uuid'>

/** UUIDs compare without hyphens and case. */
const plain = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()

/** By UUID if both have one, else by name. */
export function isOf(one: PlayerIdentity, player: PlayerIdentity): boolean {
  if (one.uuid && player.uuid) return plain(one.uuid) === plain(player.uuid)
  return one.name.toLowerCase() === player.name.toLowerCase()
}
