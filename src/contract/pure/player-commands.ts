import type { PlayerAction } from '../areas/players.ts'
import { isPlausibleName } from './player-names.ts'

/**
 * The console command of an action, as Minecraft knows it; null where the command takes no name like this one. `reason` is
 * what people wrote, one line; it may be empty.
 */
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

/**
 * A name as a command reads it. Those for who is on read a word of few signs, or any text in quotes. Those for lists read up
 * to the next blank. `@` would choose players in some other way, such as all of them.
 */
function argumentOf(action: PlayerAction, name: string): string | null {
  if (!isPlausibleName(name)) return null
  if (action === 'kick' || action === 'message')
    return /^[\w.+-]+$/.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`
  return /^[^\s@]\S*$/.test(name) ? name : null
}
