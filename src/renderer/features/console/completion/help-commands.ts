import { LOG_PREFIX } from '../../../../contract/rules/log-text.ts'

const SERVERS_MOST = 20
const NAMES_MOST = 500
/** `/ban <targets>` as the game writes it, `/ban: Bans a player` as Bukkit does. */
const ENTRY = /^\/([a-z][\w-]{0,39}(?::[a-z][\w-]{0,39})?)(?=:? |:?$)/

/** By server; the one used longest ago goes first. */
const learned = new Map<string, Set<string>>()

/** Takes in the command names that a help page among these lines lists; returns all known of the server. */
export function learnFrom(server: string, lines: readonly string[]): readonly string[] {
  const names = learned.get(server) ?? new Set<string>()
  learned.delete(server)
  learned.set(server, names)
  for (const old of learned.keys()) {
    if (learned.size <= SERVERS_MOST) break
    learned.delete(old)
  }
  for (const line of lines) {
    const name = ENTRY.exec(line.replace(LOG_PREFIX, ''))?.[1]
    if (name !== undefined && names.size < NAMES_MOST) names.add(name)
  }
  return [...names]
}
