import { BrowserWindow, screen } from 'electron'
import { HOME_PLACE, isPlace, placeAt, placeLeft } from '../../desktop/alerts/places.ts'
import { PageLine } from '../../desktop/windows/page-line.ts'
import type { WindowKeeper } from '../../desktop/windows/window-keeper.ts'
import {
  FURTHER_MOST,
  placeAmong,
  placed,
  reachable,
  type WindowPlace,
} from '../../desktop/windows/window-state.ts'
import { PAGE_ADDRESS } from './page.ts'
import { openWindow, placeOf } from './window.ts'

/** The channel on which a page is told where to go. The preload, which can import nothing of main, repeats it. */
export const GO_CHANNEL = 'panel:go'
/** On this one it says that it hears. */
export const READY_CHANNEL = 'panel:ready'

/** By this the page of a torn-off window knows that it is one, and another that the program ends already. */
const OWN = '?own'
const CLOSING = '?closing'

export interface PanelWindowsPorts {
  /** Keeps for the next start where windows stand. */
  keeper: WindowKeeper
  /** Everything is stopped: nobody is asked about unsaved text any more. */
  ending: () => boolean
  /** It is being stopped: a window that opens now says so. */
  isClosing: () => boolean
  opened: (window: BrowserWindow) => void
  /** None is open any more. */
  allClosed: () => void
  /** The last window wants to close: false where it is to stay for now. */
  mayCloseLast: () => boolean
}

/** The windows of the panel: the first one, and those a person opened beside it for a console or a file. */
export class PanelWindows {
  readonly #ports: PanelWindowsPorts
  /** In the order in which they were opened. */
  readonly #open: BrowserWindow[] = []
  /** Those that were torn off. */
  readonly #own = new WeakSet<BrowserWindow>()
  /** Told to close, and still asking their pages. */
  readonly #closing = new Set<BrowserWindow>()
  readonly #lines = new WeakMap<BrowserWindow, PageLine>()

  constructor(ports: PanelWindowsPorts) {
    this.#ports = ports
  }

  /** The first of those that stay; null where there is none. */
  get first(): BrowserWindow | null {
    return this.#open.find((window) => !this.#closing.has(window)) ?? null
  }

  get isLookedAt(): boolean {
    return BrowserWindow.getFocusedWindow() !== null
  }

  /** Brings the first window to the front, at a place where one is given; opens it, and what was torn off, where there is none. */
  show(place?: string): void {
    const window = this.#open.find((one) => !this.#closing.has(one) && !this.#own.has(one))
    if (!window) return this.#begin(place ?? HOME_PLACE)
    toFront(window)
    if (place !== undefined && isPlace(place)) this.#lines.get(window)?.go(place)
  }

  /**
   * Moves what a window shows, by default the one in front, into a window of its own; where another has it already, as after
   * a second click, that one comes to the front. Answers false where no more windows open.
   */
  tearOff(window = BrowserWindow.getFocusedWindow() ?? this.first): boolean {
    const place = window ? shownIn(window) : HOME_PLACE
    const own = this.#open.filter((one) => this.#own.has(one) && !this.#closing.has(one))
    const there = own.find((one) => one !== window && shownIn(one) === place)
    if (there) toFront(there)
    else if (own.length >= FURTHER_MOST) return false
    else this.#tearOff(place, window)
    return true
  }

  #tearOff(place: string, window: BrowserWindow | null): void {
    this.#openAt(place, { bounds: null, maximized: false })
    this.#take()
    this.#ports.keeper.now()
    const left = placeLeft(place)
    if (window && left !== null && !this.#own.has(window)) this.#lines.get(window)?.go(left)
  }

  /** Moves what a torn-off window shows back into the first one, and closes it. */
  putBack(window = BrowserWindow.getFocusedWindow()): void {
    if (!window || !this.#own.has(window)) return
    this.show(shownIn(window))
    window.close()
  }

  #begin(place: string): void {
    const { state } = this.#ports.keeper
    const further = this.#open.length === 0 ? state.further : []
    this.#openAt(place)
    for (const { shows, bounds, maximized } of further)
      this.#openAt(shows, { bounds: reachable(bounds, screens()), maximized })
  }

  /** @param own of a torn-off window, where it opens */
  #openAt(place: string, own?: WindowPlace): void {
    const { keeper, ending, isClosing, opened } = this.#ports
    const shows = isPlace(place) ? place : HOME_PLACE
    const at = own ?? placeAmong(keeper.state, screens())
    const mark = isClosing() ? CLOSING : own ? OWN : ''
    const window = openWindow(at, ending, `${mark}${shows}`)
    this.#open.push(window)
    if (own) this.#own.add(window)
    this.#lines.set(window, lineTo(window))
    this.#followPlace(window)
    this.#followClosing(window)
    opened(window)
  }

  /** Takes into the state where windows stand and what was torn off. */
  #take(): void {
    const { state } = this.#ports.keeper
    const first = this.#open.find((window) => !this.#own.has(window))
    if (first) placed(state, screens(), placeOf(first))
    state.further = this.#open
      .filter((window) => this.#own.has(window))
      .map((window) => ({ ...placeOf(window), shows: shownIn(window) }))
      .slice(0, FURTHER_MOST)
  }

  /** Keeps how windows are while they are open. One that goes with the program is opened again with it. */
  #followPlace(window: BrowserWindow): void {
    const { keeper, ending } = this.#ports
    // Windows that go with the program go one by one: what is left of them then is not how they were.
    const soon = () => keeper.soon(() => ending() || this.#take())
    window.on('move', soon).on('resize', soon).on('maximize', soon).on('unmaximize', soon)
    window.webContents.on('did-navigate-in-page', soon)
    const now = () => {
      if (ending()) return
      this.#take()
      keeper.now()
    }
    // Where it stands can be asked until here. Whether it closes is only known once it has: its page may hold on.
    window.on('close', now)
    window.on('closed', () => {
      this.#open.splice(this.#open.indexOf(window), 1)
      now()
      if (this.#open.length === 0) this.#ports.allClosed()
    })
  }

  /** Several windows can be told to close before the first is gone: the last one is the last of those that stay. */
  #followClosing(window: BrowserWindow): void {
    const { mayCloseLast } = this.#ports
    window.on('close', (event) => {
      const isLast = this.#open.every((other) => other === window || this.#closing.has(other))
      if (isLast && !mayCloseLast()) event.preventDefault()
      else this.#closing.add(window)
    })
    const stays = () => this.#closing.delete(window)
    // The page holds on to unsaved text, and its person stays.
    window.webContents.on('will-prevent-unload', (event) => event.defaultPrevented || stays())
    // It is loaded again.
    window.webContents.on('render-process-gone', stays)
    window.on('closed', stays)
  }
}

/** How a window's page is led to places: what comes while it is loaded waits for it. */
function lineTo({ webContents: page }: BrowserWindow): PageLine {
  const line = new PageLine((place) => page.send(GO_CHANNEL, place))
  page.on('ipc-message', (_event, channel) => channel === READY_CHANNEL && line.ready())
  page.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) line.anew()
  })
  page.on('render-process-gone', () => line.anew())
  return line
}

function toFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

const screens = () => screen.getAllDisplays().map(({ workArea }) => workArea)

const shownIn = (window: BrowserWindow) => placeAt(window.webContents.getURL(), PAGE_ADDRESS)
