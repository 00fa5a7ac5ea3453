/** Stands before what a server says: perhaps the panel's own time, then its own, and where in the program it comes from. */
const PREFIX = /^.{0,16}?\[[^\]]{1,60}\](?: \[[^\]]{1,80}\]){0,3}:? /
const NAME = String.raw`([.*]?[A-Za-z0-9_]{1,16})`

/** How a line names a player. What comes behind a name in a death is one of a few words of the game. */
const NAMED = [
  `^${NAME} (?:joined|left) the game$`,
  `^${NAME} (?:lost connection: |issued server command: |has (?:made the advancement|completed the challenge|reached the goal) )`,
  String.raw`^${NAME}\[/`,
  `^UUID of player ${NAME} is `,
  String.raw`^(?:\[Not Secure\] )?<${NAME}> `,
  `^(?:Kicked|Banned|Unbanned|Added|Removed|You whisper to) ${NAME}(?:[: ]|$)`,
  `^Made ${NAME} (?:a|no longer a) server operator$`,
  String.raw`^\[${NAME}: .*\]$`,
  `^${NAME} (?:was (?:slain|shot|killed|blown|burned|burnt|fireballed|pummeled|impaled|pricked|stung|squashed|squished|poked|frozen|obliterated|doomed|roasted|skewered|struck)|fell |drowned|blew up|died|burned to|went up in|tried to swim|hit the ground|starved|suffocated|froze|withered|walked into|discovered the floor|experienced kinetic|didn't want to live)`,
].map((pattern) => new RegExp(pattern, 'd'))

/** The player whom a line names at a place, counted in UTF-16 from its beginning; null where it names nobody there. */
export function playerAt(line: string, at: number): string | null {
  const said = PREFIX.exec(line)?.[0].length ?? 0
  for (const pattern of NAMED) {
    const match = pattern.exec(line.slice(said))
    const place = match?.indices?.[1]
    if (match && place && at >= said + place[0] && at < said + place[1]) return match[1] ?? null
  }
  return null
}
