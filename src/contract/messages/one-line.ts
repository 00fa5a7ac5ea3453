/*
 * What one line is, for commands and names, on both sides of the bridge and of the API. Programs disagree about where a
 * line ends: Java's readers know LF and CR, Node's readline also U+2028 and U+2029, and Unicode (UAX #14) adds VT, FF and
 * NEL. What any of them takes for an end is none of one line.
 */
const BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Whether a text is one line to every program. */
export const isOneLine = (text: string): boolean => !BREAK.test(text)

/** The lines of a text, wherever any program would end one. */
export const linesOf = (text: string): string[] => text.split(BREAK)

/** Whether a text holds what steers a terminal or ends a string: NUL, escapes and the like. A tab does neither. */
export const holdsControls = (text: string): boolean => /[\p{Cc}--\t]/v.test(text)

/** Whether a name can stand in one line of a list, a log or a mail. */
export const isNameLine = (name: string): boolean => isOneLine(name) && !/\p{Cc}/u.test(name)

/** A text from elsewhere as one line without controls, such as a name in a mail. */
export const asOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
