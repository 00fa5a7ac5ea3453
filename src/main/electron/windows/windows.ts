import { BrowserWindow, screen } from 'electron'
import { HOME_PLACE, isPlace } from '../../desktop/places.ts'
import type { WindowKeeper } from '../../desktop/window-keeper.ts'
import { placeAmong, placed } from '../../desktop/window-state.ts'
import { PAGE_ADDRESS } from '../page.ts'
import { openWindow, placeOf } from '../window.ts'

/** The channel on which a page is told where to go. The preload, which can import nothing of main, repeats it. */
export const GO_CHANNEL = 'panel:go'

export interface PanelWindowsPorts {
  /** Keeps for the next start where windows stand. */
  keeper: WindowKeeper
  /** Everything is stopped: nobody is asked about unsaved text any more. */
  ending: () => boolean
  opened: (window: BrowserWindow) => void
  /** The last window wants to close: false where it is to stay for now. */
  mayCloseLast: () => boolean
}

/** The windows of the panel: the first one, and those a person opened beside it for a console or a file. */
export class PanelWindows {
  readonly #ports: PanelWindowsPorts
  /** In the order in which they were opened. */
  readonly #open: BrowserWindow[] = []
  /** Told to close, and still asking their pages. */
  readonly #closing = new Set<BrowserWindow>()

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

  /** Brings the first window to the front, at a place where one is given; opens it where there is none. */
  show(place?: string): void {
    const { first } = this
    if (!first) return this.#openAt(place ?? HOME_PLACE)
    if (first.isMinimized()) first.restore()
    first.show()
    first.focus()
    if (place !== undefined && isPlace(place)) first.webContents.send(GO_CHANNEL, place)
  }

  /** Opens what the window in front shows in a further one. */
  tearOff(): void {
    const window = BrowserWindow.getFocusedWindow() ?? this.first
    this.#openAt(window ? shownIn(window) : HOME_PLACE)
  }

  /** Shows in the first window what the one in front shows, which is closed. */
  putBack(): void {
    const window = BrowserWindow.getFocusedWindow()
    if (!window || window === this.first) return
    const place = shownIn(window)
    window.close()
    this.show(place)
  }

  #openAt(place: string): void {
    const { keeper, ending, opened } = this.#ports
    const at = placeAmong(keeper.state, screens())
    // A further one would lie exactly over the first.
    const isFirst = this.#open.length === 0
    const window = openWindow(
      isFirst ? at : { bounds: null, maximized: false },
      ending,
      isPlace(place) ? place : HOME_PLACE,
    )
    this.#open.push(window)
    this.#followPlace(window)
    this.#followClosing(window)
    opened(window)
  }

  /** Keeps where the first window stands while it is moved about, and when it closes. */
  #followPlace(window: BrowserWindow): void {
    const { keeper } = this.#ports
    const take = () => {
      if (window === this.#open[0]) placed(keeper.state, screens(), placeOf(window))
    }
    const soon = () => keeper.soon(take)
    window.on('move', soon).on('resize', soon).on('maximize', soon).on('unmaximize', soon)
    window.on('close', () => {
      take()
      keeper.now()
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
    window.on('closed', () => {
      stays()
      this.#open.splice(this.#open.indexOf(window), 1)
    })
  }
}

const screens = () => screen.getAllDisplays().map(({ workArea }) => workArea)

/** The place a window shows: all that is after the page's own address. */
function shownIn(window: BrowserWindow): string {
  const address = window.webContents.getURL()
  return address.startsWith(`${PAGE_ADDRESS}#`) ? address.slice(PAGE_ADDRESS.length) : HOME_PLACE
}
