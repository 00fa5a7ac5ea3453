/** What a line of a Minecraft server's output means for the state of the server. */
export type Sign =
  | { kind: 'online' }
  | { kind: 'stopping' }
  /** `from`: the address they came from, where the line says it. */
  | { kind: 'joined'; name: string; from?: string }
  | { kind: 'left'; name: string }
  /** Said when somebody signs in, before they join. */
  | { kind: 'known'; name: string; uuid: string }
  /** Said too, of nobody by name: the address that somebody came from. */
  | { kind: 'from'; from: string }

/** `[12:34:56 INFO]: `, `[12:34:56] [Server thread/INFO]: ` and Forge's `[date time] [thread] [class]: `. */
const PREFIX = String.raw`^\[[^\]]{1,60}\](?: \[[^\]]{1,80}\]){0,3}: `
/** Velocity, a proxy, offers no help. */
const ONLINE = new RegExp(PREFIX + String.raw`Done \([\d.,]+s\)!(?: For help, type |$)`)
const STOPPING = new RegExp(
  PREFIX + String.raw`(?:Stopping server|Stopping the server|Shutting down the proxy\.\.\.)$`,
)
const UUID = new RegExp(PREFIX + String.raw`UUID of player ([.*]?[A-Za-z0-9_]{1,16}) is ([\da-f-]{36})$`)
const MESSAGE = new RegExp(PREFIX)
/** A leading `.` or `*` marks a Bedrock player behind Floodgate. */
const PLAYERS = new RegExp(PREFIX + String.raw`([.*]?[A-Za-z0-9_]{1,16}) (joined|left) the game$`)
/** `Alex[/192.168.1.5:50123] logged in with entity id 261 at (1.5, 64.0, 8.5)`; the address can be withheld. */
const LOGGED_IN = new RegExp(
  PREFIX + String.raw`[.*]?[A-Za-z0-9_]{1,16}\[/([^\s/]{2,60}):\d{1,5}\] logged in with entity id `,
)
// eslint-disable-next-line no-control-regex -- colours arrive as escape sequences
const COLOURS = /\u001b\[[\d;]*m/g

/**
 * Reads a line's sign. What players write cannot pass for one: it stands behind `<name> ` or `[name] `, and a sign
 * follows the prefix at once.
 */
export function readSign(line: string): Sign | null {
  // Most of a hundred thousand lines are told apart by their last letter.
  switch (line.charCodeAt(line.length - 1)) {
    case 34 /* " */:
    case 33 /* ! */:
      return ONLINE.test(plain(line)) ? { kind: 'online' } : null
    case 114 /* r */:
    case 46 /* . */:
      return STOPPING.test(plain(line)) ? { kind: 'stopping' } : null
    case 101 /* e */:
    case 109 /* m, of a closing colour */:
      return readPlayers(plain(line))
    case 41 /* ) */:
      return readAddress(line)
    default:
      return readUuid(line)
  }
}

/** `[connected player] Alex (/203.0.113.5:50123) has connected`; the address can be withheld. */
const PROXY_PLAYERS = new RegExp(
  PREFIX +
    String.raw`\[connected player\] ([.*]?[A-Za-z0-9_]{1,16}) \(([^()]{1,100})\) has (connected|disconnected)`,
)

/** The same of a proxy, which has words of its own for those who come and go. What players write is not in its log. */
export function readProxySign(line: string): Sign | null {
  const match = line.includes('[connected player] ') ? PROXY_PLAYERS.exec(plain(line)) : null
  if (!match) return readSign(line)
  const [, name = '', from = '', what] = match
  if (what !== 'connected') return { kind: 'left', name }
  const address = /^\/(.+):\d{1,5}$/.exec(from)?.[1]
  return { kind: 'joined', name, ...(address && { from: bare(address) }) }
}

/** What a line says behind its prefix; null where it has none, as the lines of a stack trace. */
export function messageOf(line: string): string | null {
  const text = plain(line)
  const prefix = MESSAGE.exec(text)
  return prefix && text.slice(prefix[0].length)
}

/** A line without its colors, and what its prefix said: a level where it had one. Stack traces have no prefix. */
export interface Entry {
  text: string
  level: string | null
}

/** The same in its parts. Minecraft's own colors, `§` and a sign, are taken off too. */
export function entryOf(line: string): Entry {
  const text = plain(line)
  const prefix = MESSAGE.exec(text)?.[0] ?? ''
  const level = /[ /](TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\]/.exec(prefix)
  return { text: text.slice(prefix.length).replaceAll(/§./g, ''), level: level?.[1] ?? null }
}

const UUID_HYPHEN = 13

function readUuid(line: string): Sign | null {
  // Of what ends in a uuid that is a hyphen, and of hardly anything else.
  if (line.charCodeAt(line.length - UUID_HYPHEN) !== 45) return null
  const match = UUID.exec(plain(line))
  return match && { kind: 'known', name: match[1]!, uuid: match[2]! }
}

function readPlayers(line: string): Sign | null {
  if (!line.endsWith(' the game')) return ONLINE.test(line) ? { kind: 'online' } : readUuid(line)
  const match = PLAYERS.exec(line)
  if (!match) return null
  return { kind: match[2] === 'joined' ? 'joined' : 'left', name: match[1]! }
}

function readAddress(line: string): Sign | null {
  if (!line.includes('] logged in with entity id ')) return null
  const from = LOGGED_IN.exec(plain(line))?.[1]
  return from === undefined ? null : { kind: 'from', from: bare(from) }
}

/** An address without the brackets that IPv6 has before a port. */
const bare = (address: string): string => address.replace(/^\[(.*)\]$/, '$1')

const plain = (line: string): string => (line.includes('\u001b') ? line.replace(COLOURS, '') : line)
