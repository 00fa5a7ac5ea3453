import type { PlayerAction } from '../areas/players.ts'

/** The console command of an action, as Minecraft knows it. `reason` is what people wrote, one line; it may be empty. */
export function commandOf(action: PlayerAction, name: string, reason: string): string {
  const rest = reason === '' ? '' : ` ${reason}`
  switch (action) {
    case 'kick':
    case 'ban':
      return `${action} ${name}${rest}`
    case 'pardon':
    case 'op':
    case 'deop':
      return `${action} ${name}`
    case 'whitelist-add':
      return `whitelist add ${name}`
    case 'whitelist-remove':
      return `whitelist remove ${name}`
    case 'message':
      return `tell ${name}${rest}`
  }
}

const NAME = /^[.*]?[A-Za-z0-9_]{1,16}$/

/** Whether a text is a player's name; a leading `.` or `*` marks a Bedrock player behind Floodgate. */
export const isPlayerName = (text: string): boolean => NAME.test(text)
