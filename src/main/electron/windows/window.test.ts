import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { given, StandInEvent, StandInWindow, told } from '../../../../tests/doubles/electron/electron.ts'
import type { WindowPlacement } from '../../desktop/windows/window-state.ts'
import { openWindow, placeOf } from './window.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))

const fresh: WindowPlacement = { bounds: null, maximized: false }
const opened = (state: WindowPlacement) => {
  openWindow(state)
  const window = StandInWindow.opened.at(-1)
  if (!window) throw new Error('no window was opened')
  return window
}

describe('the window', () => {
  it('gives its page no Node, no other world, no webview, and one preload', () => {
    expect(opened(fresh).options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
    })
    expect(opened(fresh).options.webPreferences?.preload).toMatch(/preload[\\/]index\.cjs$/)
  })

  it("loads the panel's page from its own scheme and is shown when that is painted", () => {
    const window = opened(fresh)
    expect(window.address).toBe('app://panel/index.html#/')
    expect(window.options.show).toBe(false)
    expect(window.visible).toBe(false)
    window.emit('ready-to-show')
    expect(window.visible).toBe(true)
  })

  it("has the page's color before it is painted", () => {
    given.dark = true
    const dark = opened(fresh).options.backgroundColor
    given.dark = false
    expect(opened(fresh).options.backgroundColor).not.toBe(dark)
  })

  it('opens where it was, at the place that is wanted', () => {
    const bounds = { x: 200, y: 100, width: 900, height: 700 }
    expect(opened({ ...fresh, bounds }).options).toMatchObject(bounds)
    openWindow(fresh, () => false, '#/notifications')
    expect(StandInWindow.opened.at(-1)?.address).toBe('app://panel/index.html#/notifications')
  })

  it('fills its screen again once there is something to be seen, and is kept so before', () => {
    const window = opened({ ...fresh, maximized: true })
    expect(window.maximized).toBe(false)
    expect(placeOf(window as never).maximized).toBe(true)
    window.emit('ready-to-show')
    expect(window).toMatchObject({ maximized: true, visible: true })
    window.maximized = false
    expect(placeOf(window as never).maximized).toBe(false)
  })

  it('is zoomed by Ctrl and the wheel', () => {
    const window = opened(fresh)
    for (const direction of ['in', 'in', 'out'])
      window.webContents.emit('zoom-changed', new StandInEvent(), direction)
    expect(window.webContents.zoomLevel).toBe(0.5)
  })

  const crash = (window: StandInWindow, reason = 'crashed') =>
    window.webContents.emit('render-process-gone', {}, { reason })

  it('loads its page again after a crash, three times, and then asks', async () => {
    const window = opened(fresh)
    crash(window, 'clean-exit')
    expect(window.webContents.reloads).toBe(0)
    told.asked = []
    for (let times = 0; times < 3; times++) crash(window)
    expect(window.webContents.reloads).toBe(3)
    expect(told.asked).toEqual([])
    given.choice = 0
    crash(window)
    expect(told.asked[0]?.buttons).toEqual(['Load again', 'Close window'])
    await expect.poll(() => window.webContents.reloads).toBe(4)
    // From there it is counted anew.
    crash(window)
    expect(window.webContents.reloads).toBe(5)
  })

  it('is asked about again where it hangs anew right after it had responded, and once', async () => {
    const window = opened(fresh)
    told.asked = []
    given.choice = 0
    for (const event of ['unresponsive', 'responsive', 'unresponsive'] as const) window.emit(event)
    expect(told.asked).toHaveLength(2)
    window.emit('unresponsive')
    expect(told.asked).toHaveLength(2)
    expect(told.asked.map((one) => (one as { signal?: AbortSignal }).signal?.aborted)).toEqual([true, false])
  })

  it('is closed where a person does not want a page again that keeps crashing', async () => {
    const window = opened(fresh)
    given.choice = 1
    for (let times = 0; times < 4; times++) crash(window)
    await expect.poll(() => window.closed).toBe(true)
    given.choice = 0
    expect(window.webContents.reloads).toBe(3)
  })

  it('is asked about while it does not respond, once, and loaded again only where a person says so', async () => {
    const window = opened(fresh)
    told.asked = []
    given.choice = 0
    window.emit('unresponsive')
    window.emit('unresponsive')
    expect(told.asked).toHaveLength(1)
    expect(told.asked[0]).toMatchObject({ buttons: ['Wait', 'Load again'], defaultId: 0, cancelId: 0 })
    await Promise.resolve()
    await Promise.resolve()
    expect(window.webContents.crashes).toBe(0)
    given.choice = 1
    window.emit('unresponsive')
    await expect.poll(() => window.webContents.crashes).toBe(1)
    window.emit('unresponsive')
    window.emit('responsive')
    expect((told.asked.at(-1) as { signal?: AbortSignal }).signal?.aborted).toBe(true)
    given.choice = 0
  })
})

describe('a window of a program that has ended', () => {
  /** A window whose page hangs, and what lets the program end. */
  function hanging() {
    let ended = false
    openWindow(fresh, () => ended)
    const window = StandInWindow.opened.at(-1)!
    window.hangs = true
    told.asked = []
    return { window, end: () => void (ended = true) }
  }

  it('goes without a question where its page hangs', () => {
    const { window, end } = hanging()
    end()
    window.close()
    expect(window.closed).toBe(false)
    window.emit('unresponsive')
    expect(window.closed).toBe(true)
    expect(told.asked).toEqual([])
  })

  it('goes where its page crashes, and is not loaded again', () => {
    const { window, end } = hanging()
    end()
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(window.closed).toBe(true)
    expect(window.webContents.reloads).toBe(0)
  })

  it('goes where nobody answers a question that was asked before', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { window, end } = hanging()
    window.close()
    vi.runAllTimers()
    // Until then the person decides.
    expect(window.closed).toBe(false)
    end()
    window.close()
    window.close()
    expect(window.closed).toBe(false)
    vi.runAllTimers()
    expect(window.closed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('unsaved text', () => {
  /** The page holds on; answers whether it is left all the same. */
  function leaves(choice: number, ending = false): boolean {
    openWindow(fresh, () => ending)
    given.choice = choice
    told.asked = []
    const event = new StandInEvent()
    StandInWindow.opened.at(-1)?.webContents.emit('will-prevent-unload', event)
    given.choice = 0
    return event.defaultPrevented
  }

  it('keeps the window unless a person says to leave', () => {
    expect(leaves(1)).toBe(true)
    expect(told.asked[0]?.buttons?.[1]).toBe('Leave')
    expect(leaves(0)).toBe(false)
    expect(told.asked[0]).toMatchObject({ defaultId: 0, cancelId: 0 })
  })

  it('keeps no program that ends: nobody is asked then', () => {
    expect(leaves(0, true)).toBe(true)
    expect(told.asked).toEqual([])
  })
})
