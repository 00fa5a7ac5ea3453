import { LOG_PREFIX } from '../../../contract/rules/players/log-prefix.ts'
import { CAME_OR_WENT, IDENTIFIED, LOGGED_IN, LOST } from '../../../contract/rules/players/named-players.ts'
import { isNameAtStart, isPlausibleName } from '../../../contract/rules/players/player-names.ts'
import { plainLine } from './plain-line.ts'

/** What a line of a Minecraft server's output means for the state of the server. */
export type Sign =
  | { kind: 'online' }
  | { kind: 'stopping' }
  /** Up to twice for the same join. `from`: the player's address, if the line has it. */
  | { kind: 'joined'; name: string; from?: string }
  /** Up to twice for the same leave, and also for players who never joined. */
  | { kind: 'left'; name: string }
  /** Said when somebody signs in, before they join. */
  | { kind: 'known'; name: string; uuid: string }

/** A parsed line. */
export interface Entry {
  /** The message without the prefix. */
  text: string
  /** The level in the prefix; null without one, as in a stack trace. */
  level: string | null
}

const LEVEL = /[ /[](?:(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)(?:ING)?|SEVERE) ?\]/
/** Where threads are logged, Paper writes chat on its own thread. */
const CHAT_THREAD = '[Async Chat Thread'

/** Velocity, a proxy, offers no help. */
const ONLINE = /^Done \([\d.,]+s\)!(?: For help, type |$)/
const STOPPING = /^(?:Stopping server|Stopping the server|Shutting down the proxy\.\.\.)$/
/** `[connected player] Alex (/203.0.113.5:50123) has connected`; the address can be withheld. */
const PROXY_PLAYER = /^\[connected player\] (.{1,40}) \(([^()]{1,100})\) has (connected|disconnected)/

/**
 * Reads the sign in a line, as printed or after `plainLine`. Chat cannot pass for a sign: it follows `<name> ` or the like,
 * while a sign follows the prefix directly.
 */
export function readSign(line: string): Sign | null {
  const plain = plainLine(line)
  if (!mayBeSign(plain)) return null
  const text = messageOf(plain)
  return text === null || plain.includes(CHAT_THREAD) ? null : signIn(text)
}

/** The same of a proxy, which has words of its own for those who come and go. What players write is not in its log. */
export function readProxySign(line: string): Sign | null {
  const match = line.includes('[connected player] ') ? PROXY_PLAYER.exec(messageOf(line) ?? '') : null
  const [, name = '', place = '', what] = match ?? []
  if (!isPlausibleName(name)) return readSign(line)
  return what === 'connected' ? { kind: 'joined', name, ...from(place) } : { kind: 'left', name }
}

/** What a line says behind its prefix; null where it has none, as the lines of a stack trace. */
export function messageOf(line: string): string | null {
  const plain = plainLine(line)
  const prefix = LOG_PREFIX.exec(plain)
  return prefix && plain.slice(prefix[0].length)
}

export function entryOf(line: string): Entry {
  const plain = plainLine(line)
  const prefix = LOG_PREFIX.exec(plain)?.[0] ?? ''
  const level = LEVEL.exec(prefix)
  // SEVERE became ERROR in Minecraft 1.7.
  return { text: plain.slice(prefix.length), level: level?.[1] ?? (level ? 'ERROR' : null) }
}

const UUID_HYPHEN = 13

/** A cheap check that rules out most lines of a flood. */
const mayBeSign = (line: string): boolean =>
  line.endsWith(' the game') ||
  line.endsWith('server') ||
  line.endsWith('proxy...') ||
  line.charCodeAt(line.length - UUID_HYPHEN) === 45 /* - */ ||
  line.includes('] logged in with entity id ') ||
  line.includes(' lost connection: ') ||
  line.includes('Done (')

function signIn(text: string): Sign | null {
  if (ONLINE.test(text)) return { kind: 'online' }
  if (STOPPING.test(text)) return { kind: 'stopping' }
  const known = IDENTIFIED.exec(text)?.groups
  if (known)
    return isPlausibleName(known.name!) ? { kind: 'known', name: known.name!, uuid: known.uuid! } : null
  const passed = CAME_OR_WENT.exec(text)?.groups
  if (passed && isNameAtStart(passed.name!))
    return { kind: passed.what === 'joined' ? 'joined' : 'left', name: passed.name! }
  const arrived = LOGGED_IN.exec(text)?.groups
  if (arrived && isNameAtStart(arrived.name!, true))
    return { kind: 'joined', name: arrived.name!, ...from(arrived.place!) }
  const lost = LOST.exec(text)?.groups
  return lost && isNameAtStart(lost.name!, true) ? { kind: 'left', name: lost.name! } : null
}

/** The address in `/203.0.113.5:50123`, `host/203.0.113.5:50123` or `/[2001:db8::1]:50123`, if there is one. */
function from(place: string): { from?: string } {
  const address = /^[^/\s]*\/([^\s/]{2,60}):\d{1,5}$/.exec(place)?.[1]
  return address === undefined ? {} : { from: address.replace(/^\[(.*)\]$/, '$1') }
}
