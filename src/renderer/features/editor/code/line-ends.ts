/** How a text's lines end. In a `mixed` text the carriage returns stay in the lines as characters of their own. */
export type LineEnds = 'lf' | 'crlf' | 'cr' | 'mixed'

/** What a text's lines end with; a text of one line has what is usual. */
export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'lf'
  const both = /\r\n/.test(text)
  const lf = /(?:^|[^\r])\n/.test(text)
  const cr = /\r(?!\n)/.test(text)
  if (both && !lf && !cr) return 'crlf'
  return cr && !both && !lf ? 'cr' : 'mixed'
}

const separators = { lf: '\n', crlf: '\r\n', cr: '\r', mixed: '\n' } as const

/** What stands between the lines when a text is put together again; nothing of it is lost that way. */
export function separatorOf(ends: LineEnds): string {
  return separators[ends]
}

/** The lines of a text. */
export function splitLines(text: string, ends: LineEnds): string[] {
  return text.split(separatorOf(ends))
}
