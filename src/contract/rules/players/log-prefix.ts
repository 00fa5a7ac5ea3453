/** `[12:34:56 INFO]: `, `[12:34:56] [Server thread/INFO]: `, and Forge's `[date time] [thread] [class]: `. */
const BRACKETS = String.raw`\[[^\]]{1,60}\](?: \[[^\]]{1,80}\]){0,3}: `
/** `[12:34:56] [Server thread/INFO] (Minecraft) `, used by some setups of Fabric and Quilt. */
const LOGGER = String.raw`\[[^\]]{1,60}\] \[[^\]]{1,80}\] \([^()]{1,80}\) `
/** Before Minecraft 1.7: `2013-01-01 12:34:56 [INFO] ` or `12:34:56 [INFO] `. Forge adds `[Minecraft-Server]`. */
const BEFORE_1_7 = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d \[[A-Z]{4,7} ?\] (?:\[Minecraft(?:-Server)?\] )?`

export const LOG_PREFIX = new RegExp(`^(?:${BRACKETS}|${LOGGER}|${BEFORE_1_7})`)
