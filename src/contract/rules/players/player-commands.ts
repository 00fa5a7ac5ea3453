import type { PlayerAction } from '../../areas/players.ts'
import { isPlausibleName } from './player-names.ts'

/** Null if the command can't take this name. `reason` is one line and may be empty. */
export function commandOf(action: PlayerAction, name: string, reason: string): string | null {
  const player = argumentOf(action, name)
  if (player === null) return null
  const rest = reason === '' ? '' : ` ${reason}`
  switch (action) {
    case 'kick':
    case 'ban':
      return `${action} ${player}${rest}`
    case 'pardon':
    case 'op':
    case 'deop':
      return `${action} ${player}`
    case 'whitelist-add':
      return `whitelist add ${player}`
    case 'whitelist-remove':
      return `whitelist remove ${player}`
    case 'message':
      return `tell ${player}${rest}`
  }
}

/** `kick` and `tell` take a word or a quoted string, list commands read up to the next space. `@` starts a selector. */
function argumentOf(action: PlayerAction, name: string): string | null {
  if (!isPlausibleName(name)) return null
  if (action === 'kick' || action === 'message')
    return /^[\w.+-]+$/.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`
  return /^[^\s@]\S*$/.test(name) ? name : null
}
