import type { ITheme } from '@xterm/xterm'

/** The 16 ANSI colors, each with a contrast of 4.5 : 1 on the background. */
type Palette = Required<
  Pick<
    ITheme,
    | 'black'
    | 'red'
    | 'green'
    | 'yellow'
    | 'blue'
    | 'magenta'
    | 'cyan'
    | 'white'
    | 'brightBlack'
    | 'brightRed'
    | 'brightGreen'
    | 'brightYellow'
    | 'brightBlue'
    | 'brightMagenta'
    | 'brightCyan'
    | 'brightWhite'
  >
>

/** Black and white are swapped, so that emphasis works on both backgrounds. */
export const palettes: Record<'light' | 'dark', Palette> = {
  light: {
    black: '#1f2421',
    red: '#a32017',
    green: '#1b6e2d',
    yellow: '#7d5800',
    blue: '#1a4fa3',
    magenta: '#84309f',
    cyan: '#0b6470',
    white: '#4a524d',
    brightBlack: '#646c67',
    brightRed: '#c22f25',
    brightGreen: '#237a36',
    brightYellow: '#8a6200',
    brightBlue: '#2563c9',
    brightMagenta: '#a03fbe',
    brightCyan: '#0d7280',
    brightWhite: '#101412',
  },
  dark: {
    black: '#858d88',
    red: '#f0736a',
    green: '#6cc474',
    yellow: '#dcae45',
    blue: '#7ba8f5',
    magenta: '#cf97ee',
    cyan: '#58c6d0',
    white: '#c3cac6',
    brightBlack: '#8b938e',
    brightRed: '#ff958c',
    brightGreen: '#93dc97',
    brightYellow: '#f2cb6a',
    brightBlue: '#a4c4ff',
    brightMagenta: '#e2baf8',
    brightCyan: '#86e0e8',
    brightWhite: '#f4f7f5',
  },
}

/** Search matches; `#RRGGBB`, as the search addon requires. The current one is also selected. */
export const foundColors = {
  light: { match: '#fff0bf', active: '#ffab2e', ruler: '#b07a00' },
  dark: { match: '#40361a', active: '#a8710a', ruler: '#dcae45' },
} as const

export function paletteFor(ground: string): 'light' | 'dark' {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(ground.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  return red * 2 + green * 5 + blue > 1020 ? 'light' : 'dark'
}

/** Cache: resolving a color by drawing it takes milliseconds. */
const hexes = new Map<string, string>()

/** Any CSS color as `#rrggbb`. */
export function toHex(color: string): string {
  const known = hexes.get(color)
  if (known !== undefined) return known
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return '#808080'
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  const hex = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  hexes.set(color, hex)
  return hex
}

/** `searching`: the selection is the current match. */
export function terminalTheme(
  colors: { ground: string; text: string; thumb: string },
  searching: boolean,
): ITheme {
  const kind = paletteFor(colors.ground)
  const found = searching ? foundColors[kind].active : null
  return {
    ...palettes[kind],
    background: colors.ground,
    foreground: colors.text,
    // No cursor: commands are typed below.
    cursor: colors.ground,
    selectionBackground: found ?? (kind === 'light' ? '#bfe3c6' : '#2c5436'),
    selectionInactiveBackground: found ?? (kind === 'light' ? '#d5e8d9' : '#27412d'),
    scrollbarSliderBackground: colors.thumb,
    scrollbarSliderHoverBackground: colors.thumb,
    scrollbarSliderActiveBackground: colors.thumb,
  }
}
