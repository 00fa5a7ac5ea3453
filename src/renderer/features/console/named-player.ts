import { LOG_PREFIX } from '../../../contract/pure/log-prefix.ts'
import { playersDyingIn, playersNamedIn } from '../../../contract/pure/named-players.ts'

/** Characters of the panel's own time, and of a prompt, before what a server says. */
const BEFORE_MOST = 24

/** The player whom a line names at a place, counted in UTF-16 from its beginning; null where it names nobody there. */
export function playerAt(line: string, at: number): string | null {
  const start = startOf(line)
  const message = line.slice(start)
  const isThere = (one: { name: string; at: number }) =>
    at >= start + one.at && at < start + one.at + one.name.length
  return [...playersNamedIn(message), ...playersDyingIn(message)].find(isThere)?.name ?? null
}

/** Where the words of a line begin; 0 where it has no prefix. */
function startOf(line: string): number {
  for (let before = 0; before <= BEFORE_MOST; before++) {
    const prefix = LOG_PREFIX.exec(line.slice(before))
    if (prefix) return before + prefix[0].length
  }
  return 0
}
