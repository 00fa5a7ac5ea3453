import { homedir, hostname, userInfo } from 'node:os'
import { Yielder } from '../../../host/yield.ts'
import { plainLine } from '../../../contract/rules/game/plain-line.ts'
import { AddressRedactor } from './shared-places.ts'
import { namesIn, PlayerRedactor } from './shared-players.ts'

interface ShareOptions {
  /** Known names, such as the whitelist's. */
  players?: Iterable<string>
  /** People using this computer; default: the service's user. */
  users?: Iterable<string>
  hosts?: Iterable<string>
}

/** A log for strangers, with counts of what was removed. */
interface LogToShare {
  text: string
  removed: { addresses: number; players: number; ids: number; secrets: number; users: number }
  cut: boolean
}

/** Characters kept, at the end. Log sharing sites take 10 MiB. */
const TEXT_MOST = 4 * 1024 * 1024
const PIECE = 16 * 1024
// eslint-disable-next-line no-control-regex -- these steer terminals
const DRAWN = /[\u0008\u001b\u00a7]|\r[^\r]/

/** Stand-ins are consistent, so the log can still be followed. Can take seconds, but yields. */
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
  const withoutPlaces = new AddressRedactor(users, hosts)
  const withoutNames = new PlayerRedactor(names)
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

/** Splits at line ends, preferably before a log entry, so no secret is split. */
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

/** Removes colors and erased text, which could hide names. */
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
    // The user isn't in the system's user database.
    return []
  }
}
