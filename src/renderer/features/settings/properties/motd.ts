/** Prefix of Minecraft's formatting codes. */
const SIGN = '\u00a7'
const COLORS = '0123456789abcdef'

export interface MotdPart {
  text: string
  /** `0` to `f`; null for the default color. */
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
/** Limits of what is drawn: characters and runs. */
const DRAWN_MOST = 1000

/** Also accepts `\u00a7`, as written in the file. */
export const withSigns = (typed: string): string => typed.replaceAll(/\\u00a7/gi, SIGN)

/** As Minecraft draws them: a color code resets all formats. */
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

/** Inserts a code at the cursor or around the selection; returns the text and new cursor. */
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
