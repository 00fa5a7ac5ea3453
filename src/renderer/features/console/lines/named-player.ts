import { LOG_PREFIX } from '../../../../contract/rules/players/log-prefix.ts'
import { playersDyingIn, playersNamedIn } from '../../../../contract/rules/players/named-players.ts'

/** Characters before a log prefix: the panel's timestamp and a prompt. */
const BEFORE_MOST = 24

/** The player named at an offset (UTF-16 units) of a line, or null. */
export function playerAt(line: string, at: number): string | null {
  const start = startOf(line)
  const message = line.slice(start)
  const isThere = (one: { name: string; at: number }) =>
    at >= start + one.at && at < start + one.at + one.name.length
  return [...playersNamedIn(message), ...playersDyingIn(message)].find(isThere)?.name ?? null
}

function startOf(line: string): number {
  for (let before = 0; before <= BEFORE_MOST; before++) {
    const prefix = LOG_PREFIX.exec(line.slice(before))
    if (prefix) return before + prefix[0].length
  }
  return 0
}
