/** `[12:34:56 INFO]: `, `[12:34:56] [Server thread/INFO]: `, and Forge's `[date time] [thread] [class]: `. */
const BRACKETS = String.raw`\[[^\]]{1,60}\](?: \[[^\]]{1,80}\]){0,3}: `
/** `[12:34:56] [Server thread/INFO] (Minecraft) `, as Fabric and Quilt can be set up. */
const LOGGER = String.raw`\[[^\]]{1,60}\] \[[^\]]{1,80}\] \([^()]{1,80}\) `
/** `2013-01-01 12:34:56 [INFO] ` and `12:34:56 [INFO] `, before Minecraft 1.7; Forge's with `[Minecraft-Server]` behind it. */
const BEFORE_1_7 = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d \[[A-Z]{4,7} ?\] (?:\[Minecraft(?:-Server)?\] )?`

/** What stands before everything that a server says: when, and who of it says so. */
export const LOG_PREFIX = new RegExp(`^(?:${BRACKETS}|${LOGGER}|${BEFORE_1_7})`)
