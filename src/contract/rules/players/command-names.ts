/** The game's own commands: public, or about the server. Private messages are not among them. */
const PUBLIC = new Set(
  (
    'advancement attribute ban ban-ip banlist bossbar clear clone damage data datapack debug defaultgamemode deop ' +
    'difficulty dialog effect enchant experience fill fillbiome forceload function gamemode gamerule give help ' +
    'item jfr kick kill list locate loot me op pardon pardon-ip particle perf place playsound publish random recipe ' +
    'reload return ride rotate save-all save-off save-on say schedule scoreboard seed setblock setidletimeout ' +
    'setworldspawn spawnpoint spectate spreadplayers stop stopsound summon tag team teleport test ' +
    'tick time tp transfer version waypoint weather whitelist worldborder xp'
  ).split(' '),
)

/** Of these only the name is logged: what follows may be private, or a password. */
const NAMED = new Set(
  (
    'execute msg teammsg tell tellraw title tm trigger w bukkit icanhasbukkit paper plugins pl restart spark spigot timings tps ver ' +
    'authme broadcast co coreprotect essentials fly god heal home invsee kit login lp luckperms mute mv mvtp nick ' +
    'register rg setspawn spawn sudo tempban unban unmute vanish warp we worldedit worldguard'
  ).split(' '),
)

/** What the activity log records of a command; null for unknown ones: a pasted first word could be a password. */
export function loggedCommand(command: string): string | null {
  const text = command.trim().replace(/^\/?(?:[a-z]+:)?/, '')
  const word = (/^\S+/.exec(text)?.[0] ?? '').toLowerCase()
  if (PUBLIC.has(word)) return text
  return NAMED.has(word) ? word : null
}
