import { untrack } from 'svelte'
import type { ConsoleState, HistoryState, ServerRef } from '../../../contract/bridge/values.ts'
import type { Stop } from '../../../contract/bridge/bridge.ts'
import { tokenColour } from '../../core/token-colour.ts'
import { asProblem, call, on, type Problem, type ProblemData } from '../../core/bridge.ts'
import { currentLanguage, locale, t } from '../../messages/t.svelte.ts'
import { isNameAtStart } from '../../../contract/rules/players/player-names.ts'
import { copyText } from '../../ui/base/copy-text.ts'
import { ConsoleStream } from './lines/console-stream.ts'
import { parseLineId, type LineId } from '../../../contract/rules/line-ids.ts'
import type { LineStyle } from './lines/line-text.ts'
import { Mirror } from './terminal/mirror.svelte.ts'
import { lineUnder } from './lines/line-under.ts'
import { playerAt } from './lines/named-player.ts'
import { Screen } from './terminal/screen.ts'
import { ScrollWindow, type ReadPage } from './terminal/scroll-window.svelte.ts'
import { ConsoleSearch } from './terminal/search.svelte.ts'
import { paletteFor, terminalTheme, toHex } from './terminal/terminal-theme.ts'
import { openTerminal, type OpenTerminal } from './terminal/terminal.ts'

/**
 * Says on the console's element that the terminal has taken in all lines up to the one in `detail`. Nobody has to
 * listen: it is there for measuring, and costs an event for every chunk of up to 500 lines.
 */
export const WRITTEN = 'console-written'

/** Everything there is from the moment a console is first shown. */
interface Shown {
  /** What the terminal lies in. It goes from one page to the next. */
  host: HTMLElement
  open: OpenTerminal
  screen: Screen
  window: ScrollWindow
  search: ConsoleSearch
  mirror: Mirror
  stream: ConsoleStream
}

/** A server's console on the screen: terminal, stream and search put together. */
export class ConsoleView {
  /** How the stream stands; null until that is known. */
  stream = $state<ConsoleState | 'unreachable' | null>(null)
  /** Whether the service's history could be read. */
  history = $state.raw<HistoryState>({ read: false, problem: null })
  /** Why the panel cannot read lines; null where it can. */
  #failed = $state.raw<Problem | null>(null)
  /** Whether times stand beside the lines. */
  timestamps = $state(false)
  /** Whether there is something to copy. */
  selected = $state(false)
  /** The terminal was clicked into: whoever did that knows where the keys go without a ring. */
  pointed = $state(false)
  /** What is on the screen, or was and is kept; null before. */
  #shown = $state.raw<Shown | null>(null)

  readonly server: ServerRef
  #style: LineStyle | null = null
  /** The language that the words in the terminal are in. */
  #language = currentLanguage()

  constructor(server: ServerRef) {
    this.server = server
  }

  /** Why lines cannot be read; null where they can. */
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

  /** Follows the newest lines at somebody's wish. The keyboard reads on: what it was wished with is gone then. */
  follow(): void {
    this.#shown?.window.follow()
    this.#shown?.open.terminal.focus()
  }

  isOf({ connectionId, serverId }: ServerRef): boolean {
    return this.server.connectionId === connectionId && this.server.serverId === serverId
  }

  /** Shows the console in an element until the answered function is called; then it can be shown in another, or closed. */
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
      // Who comes back begins with what is newest, as who comes for the first time.
      search.close()
      open.terminal.clearSelection()
      this.pointed = false
      this.stream = null
      window.follow()
      host.remove()
    }
  }

  /** Lets go of the terminal, after it was left. */
  close(): void {
    const shown = this.#shown
    if (!shown) return
    this.#shown = null
    shown.window.close()
    shown.screen.close()
    shown.open.close()
  }

  #open(element: HTMLElement): Shown {
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
      pieces: (pieces) => window.accept(pieces),
      cut: (passed) => window.cut(passed),
      state: (state) => (this.stream = state),
      history: (history) => (this.history = history),
      problem: (problem) => (this.#failed = problem),
    })

    let top = 0
    terminal.onScroll((row) => {
      const upwards = row < top
      top = row
      // While following, rows go up with every line, and back only with a new beginning; else it is somebody's doing.
      if (window.following && (!upwards || screen.atBottom)) return
      window.scrolled()
      mirror.touch()
    })
    terminal.onSelectionChange(() => (this.selected = terminal.hasSelection()))
    terminal.attachCustomKeyEventHandler((event) => this.#key(event))

    // The wheel is only listened to: at the top of the terminal nothing moves, but there may be more above.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && screen.rowsAbove === 0) void window.older()
    }
    host.addEventListener('wheel', onWheel, { passive: true })
    host.addEventListener('pointerdown', () => (this.pointed = true))
    host.addEventListener('focusout', () => (this.pointed = false))
    return (this.#shown = { host, open, screen, window, search, mirror, stream })
  }

  /** Follows the theme and the language; in an effect it runs again when one of them has changed. */
  restyle(): void {
    const theme = this.#theme()
    const style = this.#lineStyle()
    const language = currentLanguage()
    untrack(() => {
      const shown = this.#shown
      if (!shown) return
      const { options } = shown.open.terminal
      // Setting a theme draws everything anew.
      if (JSON.stringify(options.theme) !== JSON.stringify(theme)) options.theme = theme
      shown.open.rename(t('console.output'))
      const others =
        this.#style !== null && (language !== this.#language || style.clock?.(0) !== this.#style.clock?.(0))
      this.#language = language
      this.#style = style
      if (others) this.#redraw()
    })
  }

  /** Switches times on or off, for all consoles. */
  async toggleTimestamps(): Promise<void> {
    this.#useTimestamps(!this.timestamps)
    await call('settings.change', { timestamps: this.timestamps })
  }

  /** Copies what is selected. Answers whether that worked. */
  async copy(): Promise<boolean> {
    const text = this.#shown?.open.terminal.getSelection() ?? ''
    return text !== '' && copyText(text)
  }

  /** The player whose name is drawn at a place of the window; null where none is. */
  playerAt(place: Pick<MouseEvent, 'clientX' | 'clientY'>): string | null {
    const shown = this.#shown
    const line = shown && lineUnder(shown.open.terminal, shown.host, place)
    return line && playerAt(line.text, line.at)
  }

  /** The player whose name is selected; null where something else is, or nothing. */
  get selectedPlayer(): string | null {
    const text = this.#shown?.open.terminal.getSelection().trim() ?? ''
    return isNameAtStart(text) ? text : null
  }

  /** Watches anew, after it could not be read. */
  async retry(): Promise<void> {
    await this.#shown?.stream.watch()
  }

  readonly #readPage: ReadPage = (where) => call('console.page', { ...this.server, ...where })

  /** Asked before the lines are, so it is answered before they are written. */
  async #readSettings(): Promise<void> {
    try {
      this.#useTimestamps((await call('settings.read')).timestamps)
    } catch {
      // Then without times, until the settings can be read.
    }
  }

  #written(last: LineId | null): void {
    const shown = this.#shown
    if (!shown) return
    if (last) shown.host.dispatchEvent(new CustomEvent(WRITTEN, { bubbles: true, detail: last }))
    shown.mirror.touch()
    // A few lines alone on a large screen: older ones fill it.
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
    return terminalTheme({
      ground: toHex(tokenColour('--console')),
      text: toHex(tokenColour('--console-text')),
      thumb: toHex(tokenColour('--line-strong')),
    })
  }

  #palette(): 'light' | 'dark' {
    return paletteFor(toHex(tokenColour('--console')))
  }

  /** Keys for reading. The terminal takes no input, so the rest is the page's: Tab leaves it, Ctrl+C copies. */
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
    // At an end nothing moves, so nothing is told; there may still be more beyond.
    if (terminal.buffer.active.viewportY === before) {
      if (event.key === 'PageUp' || event.key === 'ArrowUp' || event.key === 'Home') void shown.window.older()
      else if (event.key !== 'End') void shown.window.newer()
    }
    return false
  }
}

/** The words of a gap, with the numbers people know lines by. */
function gapText(from: string | null, to: string | null): string {
  const end = to === null ? null : parseLineId(to)
  const start = from === null ? null : parseLineId(from)
  // Numbers of two runs of a server do not go on from one another.
  if (!end || (start && start.epoch !== end.epoch)) return t('console.gap-unknown')
  if (!start) return t('console.gap-until', { to: end.seq })
  return start.seq === end.seq
    ? t('console.gap-one', { line: end.seq })
    : t('console.gap', { from: start.seq, to: end.seq })
}
