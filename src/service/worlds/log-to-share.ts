import { homedir, userInfo } from 'node:os'
import { Yielder } from '../files/safe-fs/yield.ts'
import { readProxySign } from './log-lines.ts'

/** What is known before the log is read. */
export interface ShareOptions {
  /** Names of players who may occur in it, such as those of the whitelist. */
  players?: Iterable<string>
  /** Names of people at this computer; the one whose program this is unless it is said. */
  users?: Iterable<string>
}

/** A log for strangers, and how much was taken out of it: different ones, and places of secrets and of users' names. */
export interface LogToShare {
  text: string
  removed: { addresses: number; players: number; ids: number; secrets: number; users: number }
  /** Only its end was taken. */
  cut: boolean
}

/** Characters of a text that is shared, of its end. A place where logs are shared takes 10 MiB. */
const TEXT_MOST = 4 * 1024 * 1024
/** Characters that are gone through before others have their turn, about: the worst take some milliseconds. */
const PIECE = 16 * 1024
/** Players who get a stand-in of their own, by order; the others are all called `Player`. */
const PLAYERS_MOST = 5_000

const NAME = String.raw`[.*]?[A-Za-z0-9_]{1,16}`
const NAME_ALONE = new RegExp(`^${NAME}$`)
/** Who signs in, is refused, or joins a proxy; `joined` and `left` are read as signs. */
const NAMED = [
  new RegExp(String.raw`(?:^|[ \]])(${NAME})\[/[^\]\s]{1,80}\] logged in with entity id `),
  new RegExp(String.raw`: (${NAME})(?: \(/[^)\s]{1,80}\))? lost connection: `),
  new RegExp(String.raw`: (?:com\.mojang\.authlib\.)?GameProfile@\S{1,16}\[id=[^,]{1,40},name=(${NAME}),`),
  new RegExp(String.raw`\[connected player\] (${NAME}) \(`),
  new RegExp(String.raw`\[initial connection\] (${NAME}) \(`),
  new RegExp(String.raw`: (${NAME}) issued server command: `),
  new RegExp(String.raw`: (?:\[Not Secure\] )?<(${NAME})> `),
]

/** Words of a log itself, and of what is put into it: a player who is called so cannot be told by it. */
const WORDS = new Set(
  'server thread main info warn error fatal debug java lang net org com minecraft mojang bukkit address uuid user removed'.split(
    ' ',
  ),
)
/** From so many letters on a name is found in any case, as players write it. */
const ANY_CASE = 5

const UUID = /(?<![\da-f])[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}(?![\da-f])/gi
const V4 = /(?<![\w.-])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w-]|\.\w)/g
/** What stands before a version, which may have four numbers too, as NeoForge's have. */
const OF_VERSION = /(?:forge|version|loader)\W{0,3}$/i
/** Candidates: at least two colons, and Java's form with the port behind one more. */
const V6 =
  /(?<![\w:.])(?:[\da-f]{0,4}:){2,8}(?:(?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,5})?(?:%\w{1,20})?(?![\w:])/gi
/** This computer itself, and any address: they tell nothing of anybody. */
const OWN = new Set(['127.0.0.1', '0.0.0.0', '::1', '::', '0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:0'])
/** Bounded, so that a long text without an address is gone through once. */
const ADDRESS = /([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s"'<>]{1,4000})/gi
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi
const SECRET = /((?:token|secret|password|passwd|api[_-]?key)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;&]{4,}/gi
const HOMES = /((?:\/home|\/Users)\/+)[^\\/\s:"'<>|]{1,64}/g
/** Names may have spaces there, which end where the next folder begins. */
const WINDOWS_HOMES =
  /([a-z]:[\\/]+(?:Users|Documents and Settings)[\\/]+)(?:[^\\/:"'<>|*?\r\n]{1,64}(?=[\\/])|[^\\/\s:"'<>|]{1,64})/gi

/**
 * A log as it can be shown to strangers: without addresses, players' names, uuids, names of home folders, and secrets in
 * addresses of the web. The same player or address has the same stand-in everywhere, so that it can still be followed. Of a
 * very long one the end is taken. A whole one is seconds of work: others have their turn all the while.
 */
export async function logToShare(
  text: string,
  { players = [], users = ownNames() }: ShareOptions = {},
): Promise<LogToShare> {
  const taken = text.length <= TEXT_MOST ? text : text.slice(text.indexOf('\n', text.length - TEXT_MOST) + 1)
  const pieces = piecesOf(taken)
  const yielder = new Yielder()
  const names = new Set(players)
  for (const piece of pieces) {
    await yielder.turn()
    for (const name of playersIn(piece)) names.add(name)
  }
  const without = [withoutPlaces(users), withoutPlayers(names)] as const
  const shared: string[] = []
  for (const piece of pieces) {
    await yielder.turn()
    shared.push(without[1].of(without[0].of(piece)))
  }
  const whole = shared.join('')
  const put = (mark: string) => Math.max(0, counted(whole, mark) - counted(taken, mark))
  return {
    text: whole,
    removed: {
      ...without[0].removed(),
      players: without[1].removed(),
      secrets: put('[removed]'),
      users: put('[user]'),
    },
    cut: taken.length < text.length,
  }
}

/** In pieces that end where a line does, and before the beginning of another entry where there is one: none ends within a secret. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const most = from + PIECE
    const entry = text.slice(from, most).lastIndexOf('\n[')
    const line = entry >= 0 ? from + entry : text.indexOf('\n', most)
    const end = most >= text.length || line < 0 ? text.length : line + 1
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

/** Takes out where somebody is or lives, and who is asked on the web with what secret. */
function withoutPlaces(users: Iterable<string>) {
  const standIns = { address: numbering('address'), uuid: numbering('uuid') }
  const hidden = [...users].filter((name) => name.length > 2 && name !== 'root')
  const ofUsers = hidden.length > 0 ? inPaths(hidden) : null
  const of = (text: string): string => {
    // Secrets first: an address of the web may have all else in it.
    const shared = text
      .replace(ADDRESS, (_, scheme: string, rest: string) => scheme + withoutSecrets(rest))
      .replace(BEARER, '$1 [removed]')
      .replace(SECRET, '$1[removed]')
      .replace(UUID, (uuid) => standIns.uuid.of(uuid.replaceAll('-', '').toLowerCase()))
      .replace(V6, (found) => withoutV6(found, standIns.address.of))
      .replace(V4, (found: string, at: number, whole: string) =>
        OWN.has(found) || OF_VERSION.test(whole.slice(Math.max(0, at - 12), at))
          ? found
          : standIns.address.of(found),
      )
      .replace(WINDOWS_HOMES, '$1[user]')
      .replace(HOMES, '$1[user]')
    return ofUsers ? shared.replace(ofUsers, '[user]') : shared
  }
  return { of, removed: () => ({ addresses: standIns.address.count(), ids: standIns.uuid.count() }) }
}

const counted = (text: string, what: string): number => text.split(what).length - 1

/** Of what stands behind `://`: who asks, what is asked, and parts that only those know who may, as of a webhook. */
function withoutSecrets(rest: string): string {
  const [place = '', ...asked] = rest.split(/[?#]/)
  const open = place.replace(/^[^/@]{1,500}@/, '[removed]@').replaceAll(/\/[\w-]{32,}(?![^/])/g, '/[removed]')
  return open + (asked.length > 0 ? '?[removed]' : '')
}

function withoutV6(found: string, standIn: (address: string) => string): string {
  const groups = found.replace(/%.*/, '').split(':')
  const port = groups.length === 9 && !groups.includes('') ? `:${groups.pop()}` : ''
  const address = groups.join(':').toLowerCase()
  // Eight groups, or a gap: times and names of blocks are none.
  const isOne = address.includes('::') ? /[\da-f]/.test(address) : groups.length === 8 && !groups.includes('')
  return isOne && !OWN.has(address) ? standIn(address) + port : found
}

/** Those who are named where a server names players. */
function* playersIn(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    const sign = readProxySign(line.trimEnd())
    if (sign && 'name' in sign) yield sign.name
    for (const pattern of NAMED) {
      const name = pattern.exec(line)?.[1]
      if (name) yield name
    }
  }
}

/** Takes these players out; `removed`: how many different ones there were. */
function withoutPlayers(names: Iterable<string>) {
  const had = new Set<number>()
  const playerOf = (number: number): string => {
    had.add(number)
    return `Player${number > PLAYERS_MOST ? '' : number}`
  }
  const known = numbered(names)
  const numberOf = (one: string) =>
    known.get(one) ?? (one.length >= ANY_CASE ? known.get(one.toLowerCase()) : undefined)
  const standIn = (word: string): string => {
    const bare = word.replace(/^[.*]/, '')
    const whole = numberOf(word)
    if (whole !== undefined) return playerOf(whole)
    const number = numberOf(bare)
    return number === undefined ? word : word.slice(0, word.length - bare.length) + playerOf(number)
  }
  const of = (text: string) => (known.size === 0 ? text : text.replace(/[.*]?[A-Za-z0-9_]+/g, standIn))
  return { of, removed: () => had.size }
}

/** Names by the numbers of those who have them: the same in another case is the same player. */
function numbered(names: Iterable<string>): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const known = new Map<string, number>()
  for (const name of names) {
    if (!NAME_ALONE.test(name) || WORDS.has(name.toLowerCase())) continue
    const lower = name.toLowerCase()
    const number = numbers.get(lower) ?? numbers.size + 1
    numbers.set(lower, number)
    known.set(name, number)
    if (name.length >= ANY_CASE) known.set(lower, number)
  }
  return known
}

/** Gives each value a stand-in of its own. */
function numbering(what: string): { of: (value: string) => string; count: () => number } {
  const numbers = new Map<string, number>()
  return {
    of(value) {
      if (!numbers.has(value)) numbers.set(value, numbers.size + 1)
      return `[${what} ${numbers.get(value)!}]`
    },
    count: () => numbers.size,
  }
}

/** Names of people, as a part of a path or behind an `@`. */
function inPaths(names: string[]): RegExp {
  const any = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
  return new RegExp(String.raw`(?<=[\\/@])(?:${any})(?=[\\/\s:]|$)`, 'g')
}

function ownNames(): string[] {
  try {
    return [userInfo().username, homedir().split(/[/\\]/).at(-1) ?? '']
  } catch {
    // A user without an entry in the system's list.
    return []
  }
}
