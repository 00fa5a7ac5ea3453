import { type CrashRule, evidenceIn } from './crash-rule.ts'

const ENDED =
  /^(?:Encountered an unexpected exception|Exception in server tick loop|Failed to start the minecraft server|---- Minecraft Crash Report ----)/
const THROWABLE = /^(?:Caused by: )?(?:[a-z_$][\w$]{0,60}\.){1,12}[A-Z_$][\w$]{0,100}(?::|$)/
/** With the jar of its class: `~[shop-2.1.jar:?]`, on Forge `TRANSFORMER/shop@2.1/… ~[shop-2.1.jar%23105!/:?]`. */
const FRAME = /^\s*at (?:[^/\s]{0,100}\/){0,3}(\S{1,500})\([^)]{0,200}\) ~?\[([^\]:/\\!%]{1,200}\.jar)[%:]/
/** The server's own code, and the libraries it brings. */
const SERVER =
  /^(?:java|javax|jdk|sun|com\.(?:sun|mojang|google|destroystokyo|velocitypowered)|net\.(?:minecraft|minecraftforge|neoforged|fabricmc|md_5)|org\.(?:bukkit|spigotmc|quiltmc|spongepowered|apache|yaml)|io\.(?:papermc|netty)|co\.aikar|cpw\.mods|joptsimple|it\.unimi)\./
const LINES_MOST = 300
const JARS_MOST = 10

/** The exception that ended the server. Spigot, Fabric and Quilt don't log the jars of its frames. */
export const traces: CrashRule = {
  find(entries) {
    const at = entries.findLastIndex(({ text, level }) => level !== 'INFO' && ENDED.test(text))
    if (at === -1) return null
    const trace = entries.slice(at, at + LINES_MOST).filter(({ level }) => level === null)
    const jars = new Set(
      trace.flatMap(({ text }) => {
        const [, method = '', jar] = FRAME.exec(text) ?? []
        return jar === undefined || SERVER.test(method) ? [] : [jar]
      }),
    )
    if (jars.size === 0) return null
    const thrown = trace.find(({ text }) => THROWABLE.test(text))
    return {
      cause: 'extension-error',
      facts: { files: [...jars].slice(0, JARS_MOST).join(', ') },
      evidence: evidenceIn(thrown?.text ?? ''),
    }
  },
}
