/** Minecraft's limit, in characters. */
const NAME_MOST = 16
const PREFIXED_MOST = 32

const WORD = String.raw`[\p{L}\p{N}_]`
/** Control characters, line ends, and characters that change the direction of text. */
const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`
const NAME = new RegExp(`^[^\\s${UNSEEN}](?:[^${UNSEEN}]*[^\\s${UNSEEN}])?$`, 'u')
const BEGINS_WITH_WORD = new RegExp(`^${WORD}`, 'u')
const HAS_WORD = new RegExp(WORD, 'u')
const WORDS = new RegExp(`^[^\\s\\p{L}\\p{N}_]*${WORD}+(?: ${WORD}+)+$`, 'u')

/**
 * Whether a text could be a player's name, given other evidence such as a UUID. Minecraft names use letters, digits and
 * underscores; online-mode=false accepts any 16 printable characters; Floodgate adds a custom prefix to names that may
 * contain spaces.
 */
export const isPlausibleName = (text: string): boolean =>
  text.length <= (BEGINS_WITH_WORD.test(text) ? NAME_MOST : PREFIXED_MOST) && NAME.test(text)

/** Without other evidence. With spaces it needs a prefix, or any words would be a name. */
export const isPlayerName = (text: string): boolean =>
  isPlausibleName(text) && (!/\s/.test(text) || (WORDS.test(text) && !BEGINS_WITH_WORD.test(text)))

/** Returns the name if it is one. Beside a UUID, a plausible name is enough. */
export const nameBeside = (uuid: string | null, name: string | null): string | null =>
  name !== null && (uuid === null ? isPlayerName(name) : isPlausibleName(name)) ? name : null

/** Whether online-mode=false derives a UUID from this name. */
export const isOfflineName = (text: string): boolean => /^[!-~]+$/.test(text) && isPlayerName(text)

/** A speaker rather than a name: `<Eve>`, `[Server]`, `Eve:`. Or an address. */
const SPEAKER = /^<.*>|^[[(].*[\])]$|[:>»|]$|^\/[\d[]/

/** `<Eve> Steve` and `Eve: Steve` are chat. `isCertain`: chat is unlikely, so a name with spaces needs no prefix. */
export function isNameAtStart(text: string, isCertain = false): boolean {
  if (!isCertain) return isPlayerName(text) && HAS_WORD.test(text) && !SPEAKER.test(text)
  return isPlausibleName(text) && (/\s/.test(text) ? WORDS.test(text) : !text.startsWith('/'))
}
