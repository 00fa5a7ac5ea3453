import {
  CAME_OR_WENT,
  IDENTIFIED,
  LOGGED_IN,
  LOST,
  LOG_PREFIX,
  STOPPING,
} from '../../../contract/rules/log-text.ts'
import { isNameAtStart, isPlausibleName } from '../../../contract/rules/players/player-names.ts'
import { messageOf, plainLine } from '../../../contract/rules/game/plain-line.ts'

export type Sign =
  | { kind: 'online' }
  | { kind: 'stopping' }
  /** May repeat. `from`: the player's address, if logged. */
  | { kind: 'joined'; name: string; from?: string }
  /** May repeat, also for players who never joined. */
  | { kind: 'left'; name: string }
  /** At sign-in, before joining. */
  | { kind: 'known'; name: string; uuid: string }

export interface Entry {
  text: string
  /** Null without a prefix, as in stack traces. */
  level: string | null
}

const LEVEL = /[ /[](?:(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)(?:ING)?|SEVERE) ?\]/
/** Paper's chat thread, if threads are logged. */
const CHAT_THREAD = '[Async Chat Thread'

const ONLINE = /^Done \([\d.,]+s\)!(?: For help, type |$)/
/** `[connected player] Alex (/203.0.113.5:50123) has connected`; the address can be withheld. */
const PROXY_PLAYER = /^\[connected player\] (.{1,40}) \(([^()]{1,100})\) has (connected|disconnected)/

/** Chat can't be mistaken for a sign: it starts with `<name> ` or the like, signs directly follow the prefix. */
export function readSign(line: string): Sign | null {
  const plain = plainLine(line)
  if (!mayBeSign(plain)) return null
  const text = messageOf(plain)
  return text === null || plain.includes(CHAT_THREAD) ? null : signIn(text)
}

/** Proxies have their own wording, and don't log chat. */
export function readProxySign(line: string): Sign | null {
  const match = line.includes('[connected player] ') ? PROXY_PLAYER.exec(messageOf(line) ?? '') : null
  const [, name = '', place = '', what] = match ?? []
  if (!isPlausibleName(name)) return readSign(line)
  return what === 'connected' ? { kind: 'joined', name, ...from(place) } : { kind: 'left', name }
}

export function entryOf(line: string): Entry {
  const plain = plainLine(line)
  const prefix = LOG_PREFIX.exec(plain)?.[0] ?? ''
  const level = LEVEL.exec(prefix)
  // SEVERE became ERROR in Minecraft 1.7.
  return { text: plain.slice(prefix.length), level: level?.[1] ?? (level ? 'ERROR' : null) }
}

const UUID_HYPHEN = 13

/** Cheaply rules out most lines. */
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

/** Parses `/203.0.113.5:50123`, `host/203.0.113.5:50123` and `/[2001:db8::1]:50123`. */
function from(place: string): { from?: string } {
  const address = /^[^/\s]*\/([^\s/]{2,60}):\d{1,5}$/.exec(place)?.[1]
  return address === undefined ? {} : { from: address.replace(/^\[(.*)\]$/, '$1') }
}
