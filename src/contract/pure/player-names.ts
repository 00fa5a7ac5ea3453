/** Characters of a name. */
const NAME_MOST = 16
/** The same with a prefix, such as those that Floodgate puts before the names of Bedrock players. */
const PREFIXED_MOST = 32

const WORD = String.raw`[\p{L}\p{N}_]`
/** Controls, line ends, and what turns the direction of a text around. */
const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`
const NAME = new RegExp(`^[^\\s${UNSEEN}](?:[^${UNSEEN}]*[^\\s${UNSEEN}])?$`, 'u')
const BEGINS_WITH_WORD = new RegExp(`^${WORD}`, 'u')
const HAS_WORD = new RegExp(WORD, 'u')
const WORDS = new RegExp(`^[^\\s\\p{L}\\p{N}_]*${WORD}+(?: ${WORD}+)+$`, 'u')

/**
 * Whether a text can be the name of a player of whom there is more than this, such as a uuid. Minecraft's own accounts have
 * letters, digits and underscores; a server that checks no accounts lets in any 16 signs, and Floodgate puts a prefix of its
 * owner's choice before names with blanks.
 */
export const isPlausibleName = (text: string): boolean =>
  text.length <= (BEGINS_WITH_WORD.test(text) ? NAME_MOST : PREFIXED_MOST) && NAME.test(text)

/** Whether a text alone is a player's name. One with blanks has to have a prefix: else it is any words. */
export const isPlayerName = (text: string): boolean =>
  isPlausibleName(text) && (!/\s/.test(text) || (WORDS.test(text) && !BEGINS_WITH_WORD.test(text)))

/** A name where it is one; beside a uuid any that is plausible is. */
export const nameBeside = (uuid: string | null, name: string | null): string | null =>
  name !== null && (uuid === null ? isPlayerName(name) : isPlausibleName(name)) ? name : null

/** Whether a uuid follows from a name on a server that checks no accounts. */
export const isOfflineName = (text: string): boolean => /^[!-~]+$/.test(text) && isPlayerName(text)

/** What stands before somebody's words: `<Eve>`, `[Server]`, `Eve:`. Or an address. */
const SPEAKER = /^<.*>|^[[(].*[\])]$|[:>»|]$|^\/[\d[]/

/**
 * Whether a line that begins with this is about a player of that name. Else it may begin with somebody's name and what they
 * say: `<Eve> Steve`, `Eve: Steve`, `Eve Steve`.
 *
 * @param isCertain what follows in the line is hardly what anybody says, so that a name with blanks needs no prefix
 */
export function isNameAtStart(text: string, isCertain = false): boolean {
  if (!isCertain) return isPlayerName(text) && HAS_WORD.test(text) && !SPEAKER.test(text)
  return isPlausibleName(text) && (/\s/.test(text) ? WORDS.test(text) : !text.startsWith('/'))
}
