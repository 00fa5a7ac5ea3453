import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal, type ITheme } from '@xterm/xterm'
import { reuseRows, type RowRenderer } from './reused-rows.ts'
import { DrawingPace } from './drawing-pace.ts'
import { SCROLLBACK_ROWS } from './screen.ts'
import { atTextSize } from '../../../core/computed-style.ts'
import '@xterm/xterm/css/xterm.css'

const FONT = "'JetBrains Mono Variable', ui-monospace, 'DejaVu Sans Mono', monospace"
const FONT_SIZE = 13

export interface OpenTerminal {
  terminal: Terminal
  search: SearchAddon
  fit(): void
  rename(name: string): void
  close(): void
}

/** A read-only terminal with the DOM renderer, the fastest without a GPU. `lines`: total written so far. */
export function openTerminal(
  parent: HTMLElement,
  theme: ITheme,
  name: string,
  lines: () => number,
): OpenTerminal {
  Terminal.strings.promptLabel = name
  const terminal = new Terminal({
    allowProposedApi: true,
    convertEol: true,
    cursorInactiveStyle: 'none',
    disableStdin: true,
    drawBoldTextInBrightColors: false,
    fontFamily: FONT,
    fontSize: atTextSize(FONT_SIZE),
    lineHeight: 1.1,
    minimumContrastRatio: matchMedia('(prefers-contrast: more)').matches ? 7 : 4.5,
    reflowCursorLine: true,
    scrollback: SCROLLBACK_ROWS,
    theme,
  })
  const fitting = new FitAddon()
  const search = new SearchAddon({ highlightLimit: 1000 })
  terminal.loadAddon(fitting)
  terminal.loadAddon(search)
  terminal.open(parent)
  const stop = mend(terminal, lines)
  fitting.fit()
  whenFontIsThere(() => {
    // The terminal measures letters only when the font name changes.
    terminal.options.fontFamily = `${FONT}, monospace`
    fitting.fit()
  })
  return {
    terminal,
    search,
    fit() {
      const size = atTextSize(FONT_SIZE)
      if (terminal.options.fontSize !== size) terminal.options.fontSize = size
      fitting.fit()
    },
    rename: (next) => terminal.textarea?.setAttribute('aria-label', next),
    close() {
      stop()
      terminal.dispose()
    },
  }
}

/** Patched internals of xterm 6.0.0 (pinned). */
interface TerminalInternals {
  _core?: { _renderService?: RenderService; _viewport?: Viewport }
}
interface RenderService {
  _renderer?: { value?: Renderer }
  dimensions?: { css: Record<'canvas' | 'cell', { height: number }> }
}
interface Viewport {
  _sync?: (row?: number) => void
  scrollLines?: (lines: number) => void
  scrollToLine?: (line: number, atOnce?: boolean) => void
}
type Cell = [column: number, row: number] | undefined
interface Widths {
  _measure?: (text: string, face: number) => number
  clear?: () => void
}
interface Renderer extends RowRenderer {
  _widthCache?: Widths
  renderRows?: (start: number, end: number) => void
  handleSelectionChanged?: (start: Cell, end: Cell, columns: boolean) => void
}

/** Patches xterm; missing internals only cost speed and looks. The returned stop function must run before disposal. */
function mend(terminal: Terminal, lines: () => number): () => void {
  const inside = (terminal as unknown as TerminalInternals)._core
  const renderer = inside?._renderService?._renderer?.value
  if (renderer) mendRenderer(terminal, renderer)
  const stops = [
    renderer ? paceDrawing(terminal, lines, renderer) : () => undefined,
    inside?._viewport ? moveBarOnce(terminal, inside._viewport, inside._renderService) : () => undefined,
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function mendRenderer(terminal: Terminal, renderer: Renderer): void {
  reuseRows(renderer)
  if (renderer._widthCache) measureOnce(renderer._widthCache)

  // xterm redraws all rows after scrolling even without a selection, and while output is on hold.
  const draw = renderer.handleSelectionChanged?.bind(renderer)
  if (!draw) return
  let drawn = false
  renderer.handleSelectionChanged = (start, end, columns) => {
    const selected = terminal.hasSelection()
    if ((!selected && !drawn) || terminal.modes.synchronizedOutputMode) return
    drawn = selected
    draw(start, end, columns)
  }
}

function paceDrawing(terminal: Terminal, lines: () => number, renderer: Renderer): () => void {
  const render = renderer.renderRows?.bind(renderer)
  if (!render) return () => undefined
  const pace = new DrawingPace()
  let later: ReturnType<typeof setTimeout> | undefined
  let frame: number | null = null
  const drawAll = () => {
    later = undefined
    terminal.refresh(0, terminal.rows - 1)
  }
  renderer.renderRows = (start, end) => {
    const wait = pace.wait(performance.now(), lines())
    if (wait > 0) {
      later ??= setTimeout(drawAll, wait)
      return
    }
    render(start, end)
    frame ??= requestAnimationFrame(() => {
      frame = null
      pace.nextFrame(performance.now())
    })
  }
  return () => {
    clearTimeout(later)
    if (frame !== null) cancelAnimationFrame(frame)
  }
}

/**
 * xterm moves its scrollbar with every line, a third of the parsing cost. Once a frame is enough, and before
 * scrolling relative to the bar. While a terminal is out of sight xterm keeps the measures it had: a bar of these ends too
 * early, and takes the lines back with it, so it waits until they are drawn.
 */
function moveBarOnce(
  terminal: Terminal,
  viewport: Viewport,
  measures: RenderService | undefined,
): () => void {
  const { scrollLines, scrollToLine } = viewport
  const sync = viewport._sync?.bind(viewport)
  if (!sync || !scrollLines || !scrollToLine) return () => undefined
  let due: number | null = null
  let isOwed = false
  const isOutdated = () => {
    const { canvas, cell } = measures?.dimensions?.css ?? {}
    return canvas && cell ? Math.round(canvas.height / cell.height) !== terminal.rows : false
  }
  const move = () => {
    if (due === null) return
    cancelAnimationFrame(due)
    due = null
    isOwed = isOutdated()
    if (!isOwed) sync()
  }
  const drawn = terminal.onRender(() => {
    if (!isOwed || isOutdated()) return
    isOwed = false
    sync()
  })
  viewport._sync = (row) => {
    if (row === undefined) due ??= requestAnimationFrame(move)
    else sync(row)
  }
  viewport.scrollLines = (count) => {
    move()
    scrollLines.call(viewport, count)
  }
  viewport.scrollToLine = (line, atOnce) => {
    move()
    scrollToLine.call(viewport, line, atOnce)
  }
  return () => {
    drawn.dispose()
    if (due !== null) cancelAnimationFrame(due)
  }
}

const plain = /^[!-~]$/

/**
 * xterm measures each letter on first draw, forcing layouts: a quarter of the time to show a console. Our fonts
 * are monospaced, so one letter per face is enough.
 */
function measureOnce(widths: Widths): void {
  const measure = widths._measure?.bind(widths)
  const clear = widths.clear?.bind(widths)
  if (!measure || !clear) return
  const known = new Map<number, number>()
  widths.clear = () => {
    known.clear()
    clear()
  }
  widths._measure = (text, face) => {
    if (!plain.test(text)) return measure(text, face)
    const width = known.get(face) ?? measure('W', face)
    // Width is 0 while hidden.
    if (width > 0) known.set(face, width)
    return width
  }
}

function whenFontIsThere(then: () => void): void {
  const font = `${FONT_SIZE}px 'JetBrains Mono Variable'`
  if (document.fonts.check(font)) return
  document.fonts.load(font).then(
    (faces) => faces.length > 0 && then(),
    () => undefined,
  )
}
