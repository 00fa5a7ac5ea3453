import { LOG_PREFIX } from '../../../../contract/rules/log-text.ts'

export type LineLevel = 'warning' | 'error'

const LEVEL = /\b(?:(WARN(?:ING)?)|ERROR|FATAL|SEVERE)\b/
/** A level in the first bracket, of lines without a prefix known here. */
const BRACKETED = /^[^\]]{0,48}\b(?:(WARN(?:ING)?)|ERROR|FATAL|SEVERE)\b/
const COLORS =
  // eslint-disable-next-line no-control-regex -- colors before the prefix
  /^(?:\u001b\[[0-9;]{0,20}m)+/
/** `[05:57:23`, `[29Nov2026 05:57:23`, `2013-01-01 05:57:23 [`. */
const OWN_TIME = /^\[?(?:[\w./-]{6,12}[ T])?\d\d:\d\d:\d\d\b/
const TRACE =
  /^(?:\s+at [\w.$/@<>-]+\(|\s+\.{3} \d+ (?:more|common)|Caused by: |(?:[a-z_$][\w$]{0,60}\.){1,12}[A-Z]\w{0,100}(?:Exception|Error)(?::|$))/
const CHAT = /^(?:\[Not Secure\] )?(?:<[^<>]{1,64}> |\[[^\]]{1,64}\] |\* \S)/

const bare = (text: string): string => text.replace(COLORS, '')

export function levelOf(text: string): LineLevel | null {
  const line = bare(text)
  const prefix = LOG_PREFIX.exec(line)
  const level = prefix ? LEVEL.exec(prefix[0]) : BRACKETED.exec(line)
  return level ? (level[1] ? 'warning' : 'error') : null
}

/** Whether the log put a time before the line itself. */
export const hasOwnTime = (text: string): boolean => OWN_TIME.test(bare(text))

/** Part of a stack trace, which has no level of its own. */
export const isTrace = (text: string): boolean => TRACE.test(text)

/** What a player, the server or a plugin wrote into the game's chat. */
export function isChat(text: string): boolean {
  const line = bare(text)
  const prefix = LOG_PREFIX.exec(line)
  return prefix !== null && levelOf(line) === null && CHAT.test(line.slice(prefix[0].length))
}
