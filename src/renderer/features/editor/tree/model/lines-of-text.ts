/** Where the line begins that an offset lies in. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Where the line ends that an offset lies in, before what ends it. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  if (end === -1) return text.length
  return end > at && text[end - 1] === '\r' ? end - 1 : end
}

/** Where the next line begins; the end of the text where there is none. */
export function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

/** What the lines of a text end with: what its first line does. */
export function endOfLines(text: string): string {
  const first = text.indexOf('\n')
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n'
}

/** The spaces and tabs that the line of an offset begins with. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), lineEnd(text, at)))![0]
}

export function isBlank(text: string): boolean {
  return /^\s*$/.test(text)
}
