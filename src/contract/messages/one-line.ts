// Defines a single line for commands and names. Programs disagree about line ends: Java knows LF and CR, Node's
// readline also U+2028 and U+2029, Unicode (UAX #14) adds VT, FF and NEL. All of them count here.
const BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

export const isOneLine = (text: string): boolean => !BREAK.test(text)

export const linesOf = (text: string): string[] => text.split(BREAK)

/** Terminal escapes, NUL and the like; tabs are allowed. */
export const holdsControls = (text: string): boolean => /[\p{Cc}--\t]/v.test(text)

/** True if a name fits on one line of a list, log or mail. */
export const isNameLine = (name: string): boolean => isOneLine(name) && !/\p{Cc}/u.test(name)

/** Foreign text as one line without control characters. */
export const asOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
