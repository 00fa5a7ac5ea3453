import { untrack } from 'svelte'
import type { ConsoleState, HistoryState, ServerRef } from '../../../contract/bridge/values.ts'
import type { Stop } from '../../../contract/bridge/bridge.ts'
import { tokenColor } from '../../core/computed-style.ts'
import { asProblem, call, on, type Problem, type ProblemData } from '../../core/bridge.ts'
import { currentLanguage, locale, t } from '../../messages/t.svelte.ts'
import { isNameAtStart } from '../../../contract/rules/players/player-names.ts'
import { copyText } from '../../ui/base/copy-text.ts'
import { ConsoleStream } from './lines/console-stream.ts'
import { FilteredLines } from './lines/filtered-lines.svelte.ts'
import { parseLineId, type LineId } from '../../../contract/rules/line-ids.ts'
import type { LineStyle } from './lines/line-text.ts'
import { Mirror } from './terminal/mirror.svelte.ts'
import { lineUnder, playerAt } from './lines/line-under.ts'
import { Screen } from './terminal/screen.ts'
import { ScrollWindow, type PageReader } from './terminal/scroll-window.svelte.ts'
import { ConsoleSearch } from './terminal/search.svelte.ts'
import { paletteFor, terminalTheme, toHex } from './terminal/terminal-theme.ts'
import { openTerminal, type OpenTerminal } from './terminal/terminal.ts'

/** Event: the terminal has parsed all lines up to `detail`. For measurements; one per chunk of up to 500 lines. */
export const WRITTEN = 'console-written'

/** Lines that are searched for a help page. */
const NEWEST = 300

interface ConsoleInstance {
  /** The terminal's parent, moved between pages. */
  host: HTMLElement
  open: OpenTerminal
  screen: Screen
  window: ScrollWindow
  search: ConsoleSearch
  mirror: Mirror
  stream: ConsoleStream
}

export class ConsoleView {
  stream = $state<ConsoleState | 'unreachable' | null>(null)
  history = $state.raw<HistoryState>({ read: false, problem: null })
  #failed = $state.raw<Problem | null>(null)
  timestamps = $state(false)
  selected = $state(false)
  /** Focused by pointer, so no focus ring is needed. */
  pointed = $state(false)
  #shown = $state.raw<ConsoleInstance | null>(null)

  readonly server: ServerRef
  readonly filter = new FilteredLines((where) => this.#readPage(where))
  #style: LineStyle | null = null
  #language = currentLanguage()

  constructor(server: ServerRef) {
    this.server = server
  }

  get problem(): Problem | ProblemData | null {
    return this.#failed ?? this.history.problem
  }

  get window(): ScrollWindow | null {
    return this.#shown?.window ?? null
  }
  get search(): ConsoleSearch | null {
    return this.#shown?.search ?? null
  }
  get mirror(): Mirror | null {
    return this.#shown?.mirror ?? null
  }

  /** Follows new lines on request. Focuses the terminal, because the button disappears. */
  follow(): void {
    this.#shown?.window.follow()
    this.#shown?.open.terminal.focus()
  }

  isOf({ connectionId, serverId }: ServerRef): boolean {
    return this.server.connectionId === connectionId && this.server.serverId === serverId
  }

  /** Until the returned function is called; the console can then be shown again, or closed. */
  show(element: HTMLElement): Stop {
    const shown = this.#shown
    if (shown) element.append(shown.host)
    const { host, stream, window, search, open, mirror } = shown ?? this.#open(element)
    const resized = new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientHeight > 0) open.fit()
    })
    resized.observe(host)
    const stopSettings = on('settings', (settings) => this.#useTimestamps(settings.timestamps))
    void this.#readSettings()
    stream.start()
    const last = shown ? window.tail(1)[0] : null
    if (last?.kind === 'line') this.#written(last.id)
    return () => {
      stopSettings()
      resized.disconnect()
      stream.stop()
      mirror.close()
      // Start at the newest lines when shown again.
      search.close()
      void this.filter.show('all')
      open.terminal.clearSelection()
      this.pointed = false
      this.stream = null
      window.follow()
      host.remove()
    }
  }

  /** Disposes of the terminal. Call after leaving. */
  close(): void {
    const shown = this.#shown
    if (!shown) return
    this.#shown = null
    shown.window.close()
    shown.screen.close()
    shown.open.close()
  }

  #open(element: HTMLElement): ConsoleInstance {
    const host = document.createElement('div')
    host.style.height = '100%'
    element.append(host)
    const open = openTerminal(host, this.#theme(), t('console.output'), () => screen.lines)
    const { terminal } = open
    const screen = new Screen(terminal)
    const window = new ScrollWindow(screen, () => (this.#style ??= this.#lineStyle()), this.#readPage, {
      written: (last) => this.#written(last),
      failed: (thrown) => (this.#failed = thrown === null ? null : asProblem(thrown)),
    })
    const search = new ConsoleSearch(open.search, window, this.#readPage, () => this.#palette())
    const mirror = new Mirror(screen, window, gapText)
    const stream = new ConsoleStream(this.server, {
      pieces: (pieces) => {
        window.accept(pieces)
        this.filter.accept(pieces)
      },
      cut: (passed) => {
        window.cut(passed)
        this.filter.again()
      },
      state: (state) => (this.stream = state),
      history: (history) => (this.history = history),
      problem: (problem) => (this.#failed = problem),
    })

    let top = 0
    terminal.onScroll((row) => {
      const upwards = row < top
      top = row
      // While following, only a restart scrolls up; anything else is the user.
      if (window.following && (!upwards || screen.atBottom)) return
      window.scrolled()
      mirror.touch()
    })
    terminal.onSelectionChange(() => (this.selected = terminal.hasSelection()))
    terminal.attachCustomKeyEventHandler((event) => this.#key(event))

    // Passive: at the top the terminal can't scroll, but older lines may exist.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && screen.rowsAbove === 0) void window.older()
    }
    host.addEventListener('wheel', onWheel, { passive: true })
    host.addEventListener('pointerdown', () => (this.pointed = true))
    host.addEventListener('focusout', () => (this.pointed = false))
    return (this.#shown = { host, open, screen, window, search, mirror, stream })
  }

  restyle(): void {
    const theme = this.#theme()
    const style = this.#lineStyle()
    const language = currentLanguage()
    untrack(() => {
      const shown = this.#shown
      if (!shown) return
      const { options } = shown.open.terminal
      // Setting a theme redraws everything.
      if (JSON.stringify(options.theme) !== JSON.stringify(theme)) {
        const isOther = options.theme?.background !== theme.background
        options.theme = theme
        if (isOther) shown.search.recolor()
      }
      shown.open.rename(t('console.output'))
      const others =
        this.#style !== null && (language !== this.#language || style.clock?.(0) !== this.#style.clock?.(0))
      this.#language = language
      this.#style = style
      if (others) this.#redraw()
    })
  }

  async toggleTimestamps(): Promise<void> {
    this.#useTimestamps(!this.timestamps)
    await call('settings.change', { timestamps: this.timestamps })
  }

  async copy(): Promise<boolean> {
    const text = this.#shown?.open.terminal.getSelection() ?? ''
    return text !== '' && copyText(text)
  }

  playerAt(place: Pick<MouseEvent, 'clientX' | 'clientY'>): string | null {
    const shown = this.#shown
    const line = shown && lineUnder(shown.open.terminal, shown.host, place)
    return line && playerAt(line.text, line.at)
  }

  get selectedPlayer(): string | null {
    const text = this.#shown?.open.terminal.getSelection().trim() ?? ''
    return isNameAtStart(text) ? text : null
  }

  newestTexts(): string[] {
    const entries = this.#shown?.window.tail(NEWEST) ?? []
    return entries.flatMap((entry) => (entry.kind === 'line' && !entry.source ? [entry.text] : []))
  }

  async retry(): Promise<void> {
    await this.#shown?.stream.watch()
  }

  readonly #readPage: PageReader = (where) => call('console.page', { ...this.server, ...where })

  /** Called before lines are requested, so it completes before they are written. */
  async #readSettings(): Promise<void> {
    try {
      this.#useTimestamps((await call('settings.read')).timestamps)
    } catch {
      // Without times until settings can be read.
    }
  }

  #written(last: LineId | null): void {
    const shown = this.#shown
    if (!shown) return
    if (last) shown.host.dispatchEvent(new CustomEvent(WRITTEN, { bubbles: true, detail: last }))
    shown.mirror.touch()
    // Older lines fill a large screen.
    if (shown.screen.rowsAbove === 0 && shown.window.mayFill) void shown.window.older()
  }

  #useTimestamps(on: boolean): void {
    if (this.timestamps === on) return
    this.timestamps = on
    this.#style = null
    this.#redraw()
  }

  #redraw(): void {
    const shown = this.#shown
    void shown?.window.redraw().then(() => shown.mirror.touch())
  }

  #lineStyle(): LineStyle {
    const format = new Intl.DateTimeFormat(locale(), {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    return { clock: this.timestamps ? (time) => format.format(time) : null, gap: gapText }
  }

  #theme() {
    const colors = {
      ground: toHex(tokenColor('--console')),
      text: toHex(tokenColor('--console-text')),
      thumb: toHex(tokenColor('--line-strong')),
    }
    return terminalTheme(colors, this.search?.open ?? false)
  }

  #palette(): 'light' | 'dark' {
    return paletteFor(toHex(tokenColor('--console')))
  }

  /** Reading keys. The terminal takes no input; other keys go to the page: Tab leaves, Ctrl+C copies. */
  #key(event: KeyboardEvent): boolean {
    const shown = this.#shown
    if (event.type !== 'keydown' || !shown || event.ctrlKey || event.metaKey || event.altKey) return false
    const { terminal } = shown.open
    const before = terminal.buffer.active.viewportY
    const moves: Record<string, () => void> = {
      PageUp: () => terminal.scrollPages(-1),
      PageDown: () => terminal.scrollPages(1),
      ArrowUp: () => terminal.scrollLines(-1),
      ArrowDown: () => terminal.scrollLines(1),
      Home: () => terminal.scrollToTop(),
      End: () => shown.window.follow(),
    }
    const move = moves[event.key]
    if (!move) return false
    event.preventDefault()
    move()
    // At an end there is no scroll event, but more lines may exist.
    if (terminal.buffer.active.viewportY === before) {
      if (event.key === 'PageUp' || event.key === 'ArrowUp' || event.key === 'Home') void shown.window.older()
      else if (event.key !== 'End') void shown.window.newer()
    }
    return false
  }
}

function gapText(from: string | null, to: string | null): string {
  const end = to === null ? null : parseLineId(to)
  const start = from === null ? null : parseLineId(from)
  // Line numbers of different runs are unrelated.
  if (!end || (start && start.epoch !== end.epoch)) return t('console.gap-unknown')
  if (!start) return t('console.gap-until', { to: end.seq })
  return start.seq === end.seq
    ? t('console.gap-one', { line: end.seq })
    : t('console.gap', { from: start.seq, to: end.seq })
}
