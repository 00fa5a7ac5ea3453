import User from '@lucide/svelte/icons/user'
import type { Player, PlayerAction } from '../../../contract/bridge/values.ts'
import { askPlayer } from '../../core/asked-player.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { isNamed, type PaletteEntry, type PaletteServer } from '../../catalog/palette-entry.ts'
import { actionIcons, suits } from './acts/menu.ts'
import type { PlayerActs } from './acts/player-acts.svelte.ts'

/** Players whose actions are offered; those who are on first. */
const PLAYERS_MOST = 20

/** Players online, each leading to their menu; actions only for a player whose name is typed. */
export function playerEntries(
  { connectionId, serverId }: PaletteServer,
  acts: PlayerActs,
  players: readonly Player[],
  typed: string,
): PaletteEntry[] {
  if (acts.atProxy) return []
  const ask = (name: string, action?: PlayerAction) =>
    askPlayer({ connectionId, serverId, name, x: innerWidth / 2, y: 120, back: null, action })
  const on = players.filter(({ online }) => online === true)
  if (typed.trim() === '')
    return on.slice(0, PLAYERS_MOST).map(({ name }) => ({
      ...{ id: `player-${name}`, group: 'here', name, note: t('palette.player'), icon: User },
      choose: () => ask(name),
    }))
  const named = [...on, ...players.filter(({ online }) => online !== true)].filter(({ name }) =>
    isNamed(name, typed),
  )
  return named.slice(0, PLAYERS_MOST).flatMap((player) => {
    const { name } = player
    return (Object.keys(actionIcons) as PlayerAction[])
      .filter((action) => acts.may(action) && suits[action](player))
      .map((action): PaletteEntry => ({
        ...{ id: `${action}-${name}`, group: 'here', name: t(`palette.${action}`, { name }), also: action },
        ...{ icon: actionIcons[action], reason: acts.reason(action, [player]) },
        choose: () => ask(name, action),
      }))
  })
}
