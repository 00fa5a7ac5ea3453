import { BrowserWindow, screen } from 'electron'
import { HOME_PLACE, isPlace, placeAt, placeLeft } from '../../desktop/alerts/places.ts'
import type { WindowKeeper } from '../../desktop/windows/window-keeper.ts'
import {
  FURTHER_MOST,
  placeAmong,
  placed,
  reachable,
  type WindowPlacement,
} from '../../desktop/windows/window-state.ts'
import { PAGE_ADDRESS } from './page.ts'
import { openWindow, placeOf } from './window.ts'

/** Repeated in the preload, which cannot import from main. */
export const GO_CHANNEL = 'panel:go'
export const READY_CHANNEL = 'panel:ready'

/** Tells a page that its window is torn off, or that the program is closing. */
const OWN = '?own'
const CLOSING = '?closing'

export interface PanelWindowsPorts {
  keeper: WindowKeeper
  /** Everything is stopped: do not ask about unsaved text. */
  ending: () => boolean
  isClosing: () => boolean
  opened: (window: BrowserWindow) => void
  allClosed: () => void
  /** False keeps it open. */
  mayCloseLast: () => boolean
}

export class PanelWindows {
  readonly #ports: PanelWindowsPorts
  readonly #open: BrowserWindow[] = []
  readonly #own = new WeakSet<BrowserWindow>()
  /** Closing, with the page still being asked. */
  readonly #closing = new Set<BrowserWindow>()
  readonly #lines = new WeakMap<BrowserWindow, PageLine>()

  constructor(ports: PanelWindowsPorts) {
    this.#ports = ports
  }

  get first(): BrowserWindow | null {
    return this.#open.find((window) => !this.#closing.has(window)) ?? null
  }

  get isLookedAt(): boolean {
    return BrowserWindow.getFocusedWindow() !== null
  }

  show(place?: string): void {
    const window = this.#open.find((one) => !this.#closing.has(one) && !this.#own.has(one))
    if (!window) return this.#begin(place ?? HOME_PLACE)
    toFront(window)
    if (place !== undefined && isPlace(place)) this.#lines.get(window)?.go(place)
  }

  /** Focuses the window that already has the place, as after a double click. False if no more windows can open. */
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

  #openAt(place: string, own?: WindowPlacement): void {
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

  #take(): void {
    const { state } = this.#ports.keeper
    const first = this.#open.find((window) => !this.#own.has(window))
    if (first) placed(state, screens(), placeOf(first))
    state.further = this.#open
      .filter((window) => this.#own.has(window))
      .map((window) => ({ ...placeOf(window), shows: shownIn(window) }))
      .slice(0, FURTHER_MOST)
  }

  #followPlace(window: BrowserWindow): void {
    const { keeper, ending } = this.#ports
    // On exit windows close one by one; the remaining ones are not the arrangement to store.
    const soon = () => keeper.soon(() => ending() || this.#take())
    window.on('move', soon).on('resize', soon).on('maximize', soon).on('unmaximize', soon)
    window.webContents.on('did-navigate-in-page', soon)
    const now = () => {
      if (ending()) return
      this.#take()
      keeper.now()
    }
    // The position is gone after this; the page may still cancel.
    window.on('close', now)
    window.on('closed', () => {
      this.#open.splice(this.#open.indexOf(window), 1)
      now()
      if (this.#open.length === 0) this.#ports.allClosed()
    })
  }

  /** Several windows may be closing; the last one is the last of those that stay. */
  #followClosing(window: BrowserWindow): void {
    const { mayCloseLast } = this.#ports
    window.on('close', (event) => {
      const isLast = this.#open.every((other) => other === window || this.#closing.has(other))
      if (isLast && !mayCloseLast()) event.preventDefault()
      else this.#closing.add(window)
    })
    const stays = () => this.#closing.delete(window)
    // The page keeps unsaved text and the user stays.
    window.webContents.on('will-prevent-unload', (event) => event.defaultPrevented || stays())
    window.webContents.on('render-process-gone', stays)
    window.on('closed', stays)
  }
}

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

/** Sends places to a page once it listens; only the last one counts. */
class PageLine {
  readonly #send: (place: string) => void
  #hears = false
  #waiting: string | null = null

  constructor(send: (place: string) => void) {
    this.#send = send
  }

  go(place: string): void {
    if (this.#hears) this.#send(place)
    else this.#waiting = place
  }

  ready(): void {
    this.#hears = true
    if (this.#waiting !== null) this.#send(this.#waiting)
    this.#waiting = null
  }

  anew(): void {
    this.#hears = false
  }
}
