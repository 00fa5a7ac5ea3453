import type { Terminal } from '@xterm/xterm'

/** The full line at a window position, and the offset in it; null if none. */
export function lineUnder(
  terminal: Terminal,
  element: HTMLElement,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): { text: string; at: number } | null {
  const drawn = element.querySelector('.xterm-screen')?.getBoundingClientRect()
  if (!drawn || drawn.width === 0 || drawn.height === 0) return null
  const column = Math.floor(((clientX - drawn.left) / drawn.width) * terminal.cols)
  const row = Math.floor(((clientY - drawn.top) / drawn.height) * terminal.rows)
  if (column < 0 || column >= terminal.cols || row < 0 || row >= terminal.rows) return null
  const buffer = terminal.buffer.active
  let first = buffer.viewportY + row
  let at = column
  while (first > 0 && buffer.getLine(first)?.isWrapped) {
    first -= 1
    at += terminal.cols
  }
  let text = ''
  for (let next = first; next === first || buffer.getLine(next)?.isWrapped; next++)
    text += buffer.getLine(next)?.translateToString(false) ?? ''
  return { text: text.trimEnd(), at }
}
