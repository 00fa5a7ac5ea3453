import { isNameAtStart, isPlausibleName } from './players/player-names.ts'

/** `[12:34:56 INFO]: `, `[12:34:56] [Server thread/INFO]: `, and Forge's `[date time] [thread] [class]: `. */
const BRACKETS = String.raw`\[[^\]]{1,60}\](?: \[[^\]]{1,80}\]){0,3}: `
/** `[12:34:56] [Server thread/INFO] (Minecraft) `, used by some setups of Fabric and Quilt. */
const LOGGER = String.raw`\[[^\]]{1,60}\] \[[^\]]{1,80}\] \([^()]{1,80}\) `
/** Before Minecraft 1.7: `2013-01-01 12:34:56 [INFO] ` or `12:34:56 [INFO] `. Forge adds `[Minecraft-Server]`. */
const BEFORE_1_7 = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d \[[A-Z]{4,7} ?\] (?:\[Minecraft(?:-Server)?\] )?`

export const LOG_PREFIX = new RegExp(`^(?:${BRACKETS}|${LOGGER}|${BEFORE_1_7})`)

const NAME = '(?<name>.{1,40}?)'
const OTHER = '(?<other>.{1,40}?)'
/** `/203.0.113.5:50123`, `host/203.0.113.5:50123`, `/[2001:db8::1]:50123`, or a placeholder for it. */
const ADDRESS = String.raw`[^\s[\]]{0,255}(?:\[[^\s[\]]{2,60}\])?[^[\]]{1,60}`

export const CAME_OR_WENT = new RegExp(
  String.raw`^${NAME}(?: \(formerly known as ${OTHER}\))? (?<what>joined|left) the game$`,
  'd',
)
/** `Alex[/192.168.1.5:50123] logged in with entity id 261 at (1.5, 64.0, 8.5)` */
export const LOGGED_IN = new RegExp(
  String.raw`^${NAME} ?\[(?<place>${ADDRESS})\] logged in with entity id \d`,
  'd',
)
export const LOST = new RegExp(`^${NAME} lost connection: `, 'd')
export const IDENTIFIED = new RegExp(String.raw`^UUID of player ${NAME} is (?<uuid>[\da-f-]{36})$`, 'd')

/** What a server or proxy logs when it is asked to stop. */
export const STOPPING = /^(?:Stopping server|Stopping the server|Shutting down the proxy\.\.\.)$/

const TO_PLAYER =
  'tell|msg|w|whisper|m|t|pm|dm|kick|ban|tempban|pardon|unban|mute|unmute|op|deop|whitelist add|whitelist remove|tp|tpa|tpahere|pay|give'

const CERTAIN = [
  ...[CAME_OR_WENT, LOGGED_IN, LOST, IDENTIFIED].map(({ source }) => source),
  String.raw`^${NAME} \(/?${ADDRESS}\) lost connection: `,
  String.raw`^(?:Disconnecting|Kicking) ${NAME} ?[([]/`,
  String.raw`GameProfile(?:@\w{1,16})?\[id=[^,\]]{1,40}, ?name=${NAME}[,\]]`,
  String.raw`^(?:\[Not Secure\] )?<${NAME}> `,
  String.raw`^\* ${NAME} `,
  `^${NAME} (?:issued server command: |has (?:made the advancement|completed the challenge|reached the goal) |moved (?:too quickly|wrongly)!|was (?:kicked|banned) )`,
  String.raw` issued server command: /(?:\w+:)?(?:${TO_PLAYER}) (?<name>[^\s@]{1,32})(?: |$)`,
  `^(?:Kicked|Banned(?: player)?|Unbanned(?: player)?|Added|Removed|Opped|De-opped|You whisper to) ${NAME}(?:$|: | from | to )`,
  `^Made ${NAME} (?:a|no longer a) server operator$`,
  `^${NAME} whispers to (?:you|${OTHER}): `,
  String.raw`^\[${NAME} -> ${OTHER}\] `,
  String.raw`^\[${NAME}: .*\]$`,
  String.raw`^\[(?:connected player|initial connection)\] ${NAME} \(`,
  String.raw`^\[server connection\] ${NAME} -> `,
  `Floodgate player logged in as ${NAME} joined `,
  String.raw`^(?:\[[\w-]{1,40}\] )?${NAME} \(logged in as: ${OTHER}\) has (?:connected|disconnected)`,
].map((pattern) => new RegExp(pattern, 'd'))

/** The answer to `list`: names separated by commas. */
const ONLINE = /^There are \d.{1,40} players online: (.+)$/

/** Death messages. Pets and named mobs get the same ones. */
const DIED = new RegExp(
  `^${NAME} (?:was (?:slain|shot|killed|blown|burned|burnt|fireballed|pummeled|impaled|pricked|stung|squashed|squished|poked|frozen|obliterated|doomed|roasted|skewered|struck)|fell |drowned|blew up|died|burned to|went up in|tried to swim|hit the ground|starved|suffocated|froze|withered|walked into|discovered the floor|experienced kinetic|didn't want to live)`,
  'd',
)

/** `at`: UTF-16 offset. */
interface NamedPlayer {
  name: string
  at: number
}

/** `message`: the line without its prefix. */
export function playersNamedIn(message: string): NamedPlayer[] {
  const named = CERTAIN.flatMap((pattern) => namedBy(pattern, message))
  let at = message.length - (ONLINE.exec(message)?.[1]?.length ?? 0)
  for (const name of message.slice(at).split(', ')) {
    named.push({ name, at })
    at += name.length + 2
  }
  return named.filter(isPlayer)
}

export const playersDyingIn = (message: string): NamedPlayer[] => namedBy(DIED, message).filter(isPlayer)

const isPlayer = ({ name, at }: NamedPlayer) => (at === 0 ? isNameAtStart(name, true) : isPlausibleName(name))

function namedBy(pattern: RegExp, message: string): NamedPlayer[] {
  const { groups, indices } = pattern.exec(message) ?? {}
  return ['name', 'other'].flatMap((group) => {
    const [name, place] = [groups?.[group], indices?.groups?.[group]]
    return name !== undefined && place ? [{ name, at: place[0] }] : []
  })
}

/** How the game says that everything is on the disk, in all its versions; older Bukkit puts it in brackets. */
const SAVED = /^(?:\[\w+: )?(?:Saved the (?:game|world)|Save complete\.?)\]?$/
const FAILED =
  /^(?:\[\w+: )?(?:Unable to save the game|Saving failed|Unknown (?:or incomplete )?command|Unknown command)/

/** What a console line, without its prefix, says to `save-all flush`; null if it is no answer to it. */
export function savingAnswer(text: string): 'saved' | 'failed' | null {
  if (SAVED.test(text)) return 'saved'
  return FAILED.test(text) ? 'failed' : null
}
