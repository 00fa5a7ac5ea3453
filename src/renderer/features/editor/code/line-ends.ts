/** In `mixed` texts, carriage returns stay in the lines as characters. */
export type LineEnds = 'lf' | 'crlf' | 'cr' | 'mixed'

export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'lf'
  const both = /\r\n/.test(text)
  const lf = /(?:^|[^\r])\n/.test(text)
  const cr = /\r(?!\n)/.test(text)
  if (both && !lf && !cr) return 'crlf'
  return cr && !both && !lf ? 'cr' : 'mixed'
}

const separators = { lf: '\n', crlf: '\r\n', cr: '\r', mixed: '\n' } as const

export function separatorOf(ends: LineEnds): string {
  return separators[ends]
}

export function splitLines(text: string, ends: LineEnds): string[] {
  return text.split(separatorOf(ends))
}
