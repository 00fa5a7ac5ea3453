import Ban from '@lucide/svelte/icons/ban'
import DoorOpen from '@lucide/svelte/icons/door-open'
import ListCheck from '@lucide/svelte/icons/list-check'
import ListX from '@lucide/svelte/icons/list-x'
import MessageSquare from '@lucide/svelte/icons/message-square'
import Shield from '@lucide/svelte/icons/shield'
import ShieldOff from '@lucide/svelte/icons/shield-off'
import Undo2 from '@lucide/svelte/icons/undo-2'
import type { Player, PlayerAction } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'
import type { MenuItem } from '../../../ui/dialog/menu.ts'
import type { Part } from '../list/sorted-players.ts'
import type { PlayerActs, Target } from './player-acts.svelte.ts'

export const actionIcons: Record<PlayerAction, NonNullable<MenuItem['icon']>> = {
  message: MessageSquare,
  op: Shield,
  deop: ShieldOff,
  'whitelist-add': ListCheck,
  'whitelist-remove': ListX,
  kick: DoorOpen,
  ban: Ban,
  pardon: Undo2,
}

export const suits: Record<PlayerAction, (player: Partial<Player>) => boolean> = {
  message: ({ online }) => online !== false,
  op: ({ op }) => op !== true,
  deop: ({ op }) => op !== false,
  'whitelist-add': ({ whitelisted }) => whitelisted !== true,
  'whitelist-remove': ({ whitelisted }) => whitelisted !== false,
  kick: ({ online }) => online !== false,
  ban: ({ banned }) => !banned,
  pardon: ({ banned }) => banned !== null,
}

/** What a list is opened for. */
export const firstActions: Record<Part, readonly PlayerAction[]> = {
  now: ['message', 'kick', 'ban'],
  known: ['message', 'kick', 'ban', 'pardon'],
  whitelist: ['whitelist-remove'],
  ops: ['deop'],
  bans: ['pardon'],
}

/** With only a name known, all actions are offered. */
export function actionsFor(
  acts: PlayerActs,
  players: readonly (Partial<Player> & Target)[],
  first: readonly PlayerAction[] = [],
): MenuItem[] {
  if (players.length === 0 || acts.atProxy) return []
  return (Object.keys(actionIcons) as PlayerAction[])
    .filter((action) => acts.may(action) && players.some(suits[action]))
    .map((action) => ({
      label: t(`players.${action}`),
      icon: actionIcons[action],
      danger: action === 'ban' || action === 'kick',
      first: first.includes(action),
      reason: acts.busy ? t('players.busy') : acts.reason(action, players),
      choose: () => acts.begin(action, players.filter(suits[action])),
    }))
}
