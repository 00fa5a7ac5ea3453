import type { Terminal } from '@xterm/xterm'
import { playersDyingIn, playersNamedIn, LOG_PREFIX } from '../../../../contract/rules/log-text.ts'

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

/** Characters before a log prefix: the panel's timestamp and a prompt. */
const BEFORE_MOST = 24

/** The player named at an offset (UTF-16 units) of a line, or null. */
export function playerAt(line: string, at: number): string | null {
  const start = startOf(line)
  const message = line.slice(start)
  const isThere = (one: { name: string; at: number }) =>
    at >= start + one.at && at < start + one.at + one.name.length
  return [...playersNamedIn(message), ...playersDyingIn(message)].find(isThere)?.name ?? null
}

function startOf(line: string): number {
  for (let before = 0; before <= BEFORE_MOST; before++) {
    const prefix = LOG_PREFIX.exec(line.slice(before))
    if (prefix) return before + prefix[0].length
  }
  return 0
}
