/** The section sign that Minecraft's codes begin with. */
const SIGN = '\u00a7'
const COLORS = '0123456789abcdef'

/** A stretch of a message of the day that looks the same. */
export interface MotdPart {
  text: string
  /** A digit of `0` to `f`; null: as it is without a code. */
  color: string | null
  bold: boolean
  italic: boolean
  underlined: boolean
  struck: boolean
  obfuscated: boolean
}

const PLAIN = {
  ...{ color: null, bold: false, italic: false },
  ...{ underlined: false, struck: false, obfuscated: false },
}
const FORMATS: Readonly<Record<string, keyof typeof PLAIN>> = {
  l: 'bold',
  o: 'italic',
  n: 'underlined',
  m: 'struck',
  k: 'obfuscated',
}
/** Longest message that is drawn, in characters, and most stretches of it. */
const DRAWN_MOST = 1000

/** Typed as `\u00a7`, as the file has it, the sign is meant too. */
export const withSigns = (typed: string): string => typed.replaceAll(/\\u00a7/gi, SIGN)

/** The lines of a message as players see them: a color ends all formats before it. */
export function motdLines(motd: string): MotdPart[][] {
  const lines: MotdPart[][] = [[]]
  let look: Omit<MotdPart, 'text'> = { ...PLAIN }
  const add = (text: string) => {
    if (text !== '') lines.at(-1)!.push({ ...look, text })
  }
  const pieces = withSigns(motd)
    .slice(0, DRAWN_MOST)
    .split(/(\u00a7.|\n)/su)
  for (const piece of pieces) {
    if (piece === '\n') lines.push([])
    else if (!piece.startsWith(SIGN) || piece.length < 2) add(piece)
    else {
      const code = piece.slice(1).toLowerCase()
      const format = FORMATS[code]
      if (COLORS.includes(code)) look = { ...PLAIN, color: code }
      else if (code === 'r') look = { ...PLAIN }
      else if (format) look = { ...look, [format]: true }
    }
  }
  return lines
}

/** Puts a code where the cursor is, or around what is selected; answers the text and where the cursor goes. */
export function withCode(
  text: string,
  from: number,
  to: number,
  code: string,
): { text: string; from: number; to: number } {
  const begin = `${SIGN}${code}`
  const selected = text.slice(from, to)
  const end = selected === '' || code === 'r' ? '' : `${SIGN}r`
  return {
    text: text.slice(0, from) + begin + selected + end + text.slice(to),
    from: from + begin.length,
    to: from + begin.length + selected.length,
  }
}

export const COLOR_CODES = [...COLORS]
