/** Commands the activity log may record. A closed list, because a pasted first word could be a password. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set(
  (
    'advancement attribute ban ban-ip banlist bossbar clear clone damage data datapack debug defaultgamemode deop ' +
    'difficulty dialog effect enchant execute experience fill fillbiome forceload function gamemode gamerule give help ' +
    'item jfr kick kill list locate loot me msg op pardon pardon-ip particle perf place playsound publish random recipe ' +
    'reload return ride rotate save-all save-off save-on say schedule scoreboard seed setblock setidletimeout ' +
    'setworldspawn spawnpoint spectate spreadplayers stop stopsound summon tag team teammsg teleport tell tellraw test ' +
    'tick time title tm tp transfer trigger version w waypoint weather whitelist worldborder xp ' +
    'bukkit icanhasbukkit paper plugins pl restart spark spigot timings tps ver ' +
    'authme broadcast co coreprotect essentials fly god heal home invsee kit login lp luckperms mute mv mvtp nick ' +
    'register rg setspawn spawn sudo tempban unban unmute vanish warp we worldedit worldguard '
  )
    .trim()
    .split(' '),
)
