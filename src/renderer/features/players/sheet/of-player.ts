import type { Player } from '../../../../contract/bridge/values.ts'

type Named = Pick<Player, 'name' | 'uuid'>

/** Uuids are the same with hyphens and without, in capitals and not. */
const plain = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()

/** Whether something is of a player: by the uuid where both have one, by the name otherwise. */
export function isOf(one: Named, player: Named): boolean {
  if (one.uuid && player.uuid) return plain(one.uuid) === plain(player.uuid)
  return one.name.toLowerCase() === player.name.toLowerCase()
}
