import { homedir, hostname, userInfo } from 'node:os'
import { Yielder } from '../../base/yield.ts'
import { plainLine } from './plain-line.ts'
import { WithoutPlaces } from './shared-places.ts'
import { namesIn, WithoutPlayers } from './shared-players.ts'

/** What is known before the log is read. */
export interface ShareOptions {
  /** Names of players who may occur in it, such as those of the whitelist. */
  players?: Iterable<string>
  /** Names of people at this computer; the one whose program this is unless it is said. */
  users?: Iterable<string>
  /** Names of this computer. */
  hosts?: Iterable<string>
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
/** Escape sequences, color codes and overwritten text. */
// eslint-disable-next-line no-control-regex -- these steer terminals
const DRAWN = /[\u0008\u001b\u00a7]|\r[^\r]/

/**
 * A log as it can be shown to strangers: without addresses, players' names, uuids, names of home folders, and secrets in
 * addresses of the web. The same player or address has the same stand-in everywhere, so that it can still be followed. Of a
 * very long one the end is taken. A whole one is seconds of work: others have their turn all the while.
 */
export async function logToShare(
  text: string,
  { players = [], users = ownNames(), hosts = [hostname()] }: ShareOptions = {},
): Promise<LogToShare> {
  const taken = text.length <= TEXT_MOST ? text : text.slice(text.indexOf('\n', text.length - TEXT_MOST) + 1)
  const pieces: string[] = []
  const yielder = new Yielder()
  const names = new Set(players)
  for (const piece of piecesOf(taken)) {
    await yielder.turn()
    const shown = asShown(piece)
    for (const name of namesIn(shown)) names.add(name)
    pieces.push(shown)
  }
  const withoutPlaces = new WithoutPlaces(users, hosts)
  const withoutNames = new WithoutPlayers(names)
  const shared: string[] = []
  for (const piece of pieces) {
    await yielder.turn()
    shared.push(withoutNames.of(withoutPlaces.of(piece)))
  }
  const whole = shared.join('')
  const put = (mark: string) => Math.max(0, counted(whole, mark) - counted(taken, mark))
  return {
    text: whole,
    removed: {
      ...withoutPlaces.removed,
      players: withoutNames.removed,
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

/** Removes colors and erased text, so that names are words of their own. */
const asShown = (piece: string): string =>
  piece
    .split('\n')
    .map((line) => (DRAWN.test(line) ? plainLine(line) + (line.endsWith('\r') ? '\r' : '') : line))
    .join('\n')

const counted = (text: string, what: string): number => text.split(what).length - 1

function ownNames(): string[] {
  try {
    return [userInfo().username, homedir().split(/[/\\]/).at(-1) ?? '']
  } catch {
    // A user without an entry in the system's list.
    return []
  }
}
