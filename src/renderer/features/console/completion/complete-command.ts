import { gameCommands } from './game-commands.ts'

/** Functions, so that only what a place needs is read. */
export interface CommandSources {
  /** Commands sent before, newest first. */
  history: () => readonly string[]
  /** Command names that the server's help showed. */
  learned: () => readonly string[]
  /** Names of players who are on. */
  players: () => readonly string[]
}

/** Characters of the longest command that is suggested. */
const LONGEST = 200
const NAME = /^[\w.*+-]{1,32}$/

/** The text with what it lacks, or null if nothing fits. It goes on from the text, but for upper and lower case. */
export function completionOf(text: string, sources: CommandSources): string | null {
  if (text.trim() === '' || /[\n\r\t]|^ | {2}/.test(text)) return null
  const history = sources.history().filter((command) => command.length <= LONGEST && !/[\n\r]/.test(command))
  const sent = history.find((command) => command.length > text.length && command.startsWith(text))
  if (sent !== undefined) return sent
  const words = text.split(' ')
  const begun = words.pop() ?? ''
  const fits = candidates(words, begun, history, sources).find(
    (one) => one.length > begun.length && one.toLowerCase().startsWith(begun.toLowerCase()),
  )
  return fits === undefined ? null : [...words, fits].join(' ')
}

function candidates(
  before: readonly string[],
  begun: string,
  history: readonly string[],
  { learned, players }: CommandSources,
): readonly string[] {
  const [first] = before
  if (first === undefined) {
    const slash = begun.startsWith('/') ? '/' : ''
    const used = history.map((command) => nameOf(command))
    return [...used, ...Object.keys(gameCommands), ...learned()].map((name) => slash + name)
  }
  const name = nameOf(first).toLowerCase()
  const argument = Object.hasOwn(gameCommands, name) ? gameCommands[name]?.[before.length - 1] : undefined
  // Of the actions of `whitelist`, only these name a player.
  if (name === 'whitelist' && before.length === 2 && !/^(add|remove)$/.test(before[1] ?? '')) return []
  if (argument === 'player') return players().filter((player) => NAME.test(player))
  return argument ?? []
}

const nameOf = (command: string): string => command.replace(/^\//, '').split(' ', 1)[0] ?? ''
