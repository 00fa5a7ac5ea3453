import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { WindowKeeper } from '../../desktop/windows/window-keeper.ts'
import type { WindowState } from '../../desktop/windows/window-state.ts'
import { given, StandInEvent, StandInWindow } from '../../../../tests/doubles/electron/electron.ts'
import { PanelWindows } from './windows.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))

let mayClose: boolean
let kept: WindowState[]
/** Time passes. */
let rested: () => void
let windows: PanelWindows
let ending: boolean
let closing: boolean
let allClosed: number
beforeEach(() => {
  ending = false
  closing = false
  allClosed = 0
  windows = started(fresh())
})
const fresh = (): WindowState => ({ places: [], further: [], theme: 'system', language: 'system' })
/** The windows of a program that begins with what was kept. */
function started(state: WindowState): PanelWindows {
  StandInWindow.opened.length = 0
  mayClose = true
  kept = []
  return new PanelWindows({
    keeper: new WindowKeeper({
      state,
      write: (state) => kept.push(structuredClone(state)),
      after: (_ms, run) => {
        rested = run
        return () => void (rested = () => undefined)
      },
    }),
    ending: () => ending,
    isClosing: () => closing,
    opened: () => undefined,
    allClosed: () => void (allClosed += 1),
    mayCloseLast: () => mayClose,
  })
}
const [page, go] = ['app://panel/index.html', 'panel:go']
const inFront = (at: number) =>
  StandInWindow.opened.forEach((window, place) => (window.focused = place === at))

it('what a window shows is torn off into a further one, and put back', () => {
  windows.show('#/c/local/s/a/console')
  const [first] = StandInWindow.opened
  inFront(0)
  windows.tearOff()
  const [, second] = StandInWindow.opened
  expect(second?.address).toBe(`${page}?own#/c/local/s/a/console`)
  expect(first?.webContents.sent).toEqual([[go, '#/c/local/s/a/overview']])
  first!.webContents.sent.length = 0
  second!.webContents.address = `${page}?own#/c/local/s/a/files?file=a.txt`
  inFront(1)
  windows.putBack()
  expect(second?.closed).toBe(true)
  expect(first?.webContents.sent).toEqual([[go, '#/c/local/s/a/files?file=a.txt']])
  expect(first?.focused).toBe(true)
})

it('the first window is brought to the front and led to a place, and to none beside the page', () => {
  windows.show()
  const [first] = StandInWindow.opened
  first!.minimized = true
  windows.show('#/notifications')
  windows.show('https://example.org/')
  windows.show('#/a"><script>')
  expect(first).toMatchObject({ minimized: false, focused: true })
  expect(first?.webContents.sent).toEqual([[go, '#/notifications']])
  expect(StandInWindow.opened).toHaveLength(1)
})

it('what comes while the page is loading waits for it, and of several the last one counts', () => {
  given.loads = false
  onTestFinished(() => void (given.loads = true))
  windows.show()
  const page = StandInWindow.opened[0]!.webContents
  windows.show('#/notifications')
  windows.show('#/settings')
  expect(page.sent).toEqual([])
  page.emit('ipc-message', new StandInEvent(), 'panel:other')
  expect(page.sent).toEqual([])
  page.emit('ipc-message', new StandInEvent(), 'panel:ready')
  expect(page.sent).toEqual([[go, '#/settings']])
  // A place within the page does not load it anew; a crash does.
  page.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true })
  windows.show('#/a')
  expect(page.sent).toHaveLength(2)
  page.emit('render-process-gone', {}, { reason: 'crashed' })
  windows.show('#/b')
  expect(page.sent).toHaveLength(2)
  page.emit('ipc-message', new StandInEvent(), 'panel:ready')
  expect(page.sent).toHaveLength(3)
})

it('a window that opens while the program is being stopped says so, and whoever needs it hears that none is left', () => {
  windows.show()
  windows.tearOff()
  const [first, second] = StandInWindow.opened
  first!.close()
  expect(allClosed).toBe(0)
  second!.close()
  expect(allClosed).toBe(1)
  closing = true
  windows.show('#/notifications')
  expect(StandInWindow.opened[2]?.address).toBe(`${page}?closing#/notifications`)
})

it('a place that is none opens the first screen', () => {
  windows.show('https://example.org/')
  expect(StandInWindow.opened[0]?.address).toBe(`${page}#/`)
})

it('a further window closes without a question; the last one only where it may', () => {
  windows.show()
  windows.tearOff()
  mayClose = false
  const [first, second] = StandInWindow.opened
  first!.close()
  expect(first?.closed).toBe(true)
  second!.close()
  expect(second?.closed).toBe(false)
  mayClose = true
  second!.close()
  expect(windows.first).toBeNull()
  // It opens again, as on macOS and from the tray.
  windows.show()
  expect(StandInWindow.opened).toHaveLength(3)
})

it('of windows that are told to close at once, the last may stay', () => {
  windows.show()
  windows.tearOff()
  mayClose = false
  const [first, second] = StandInWindow.opened
  // Their pages are asked first: neither is gone when the other is told.
  first!.hangs = true
  first!.close()
  second!.close()
  first!.destroy()
  expect(second?.closed).toBe(false)
  expect(windows.first).toBe(second)
})

it('a window whose person stays for unsaved text counts again', () => {
  windows.show()
  windows.tearOff()
  mayClose = false
  const [first, second] = StandInWindow.opened
  first!.hangs = true
  first!.close()
  given.choice = 0
  first!.webContents.emit('will-prevent-unload', new StandInEvent())
  second!.close()
  expect(second?.closed).toBe(true)
  expect(windows.first).toBe(first)
})

it('where the first window stood is kept for these screens', () => {
  windows.show()
  StandInWindow.opened[0]!.maximized = true
  StandInWindow.opened[0]!.close()
  const [{ x, y, width, height } = { x: 0, y: 0, width: 0, height: 0 }] = given.displays
  expect(kept[0]?.places).toMatchObject([{ screens: `${x},${y},${width},${height}`, maximized: true }])
})

it('where it stands is kept while it is open too, once it rests, and once', () => {
  windows.show()
  const [first] = StandInWindow.opened
  first!.emit('move')
  first!.emit('resize')
  expect(kept).toEqual([])
  rested()
  expect(kept).toHaveLength(1)
  first!.emit('move')
  rested()
  first!.close()
  expect(kept).toHaveLength(1)
})

it('a window is gone before it has rested, and is not asked where it stands', () => {
  windows.show()
  const [first] = StandInWindow.opened
  first!.maximized = true
  first!.emit('maximize')
  first!.close()
  rested()
  expect(kept).toHaveLength(1)
})

it('an open file leaves the list of its folder behind, and what is no place of work stays', () => {
  windows.show('#/c/local/s/a/files?path=plugins&file=plugins/a.yml')
  const [first] = StandInWindow.opened
  windows.tearOff(first as never)
  expect(first?.webContents.sent).toEqual([[go, '#/c/local/s/a/files']])
  first!.webContents.address = `${page}#/c/local/s/a/players`
  windows.tearOff(first as never)
  expect(first?.webContents.sent).toHaveLength(1)
  // The first one has nowhere to go back to.
  windows.putBack(first as never)
  expect(first?.closed).toBe(false)
})

it('what is torn off opens again at the next start, where it stood, and what a person closed does not', () => {
  windows.show()
  const [first] = StandInWindow.opened
  for (const tab of ['console', 'players']) {
    first!.webContents.address = `${page}#/c/local/s/a/${tab}`
    windows.tearOff(first as never)
  }
  const [, console, players] = StandInWindow.opened
  players!.close()
  console!.maximized = true
  console!.webContents.emit('did-navigate-in-page')
  rested()
  ending = true
  for (const window of StandInWindow.opened) window.close()
  expect(kept.at(-1)?.further).toMatchObject([{ shows: '#/c/local/s/a/console', maximized: true }])

  const state = kept.at(-1)!
  ending = false
  StandInWindow.opened.length = 0
  started(state).show()
  expect(StandInWindow.opened.map(({ address }) => address)).toEqual([
    `${page}#/`,
    `${page}?own#/c/local/s/a/console`,
  ])
})

it('what moved right before the program ends does not keep windows that are half gone', () => {
  windows.show('#/c/local/s/a/console')
  const [first] = StandInWindow.opened
  windows.tearOff(first as never)
  const [, own] = StandInWindow.opened
  first!.emit('move')
  ending = true
  own!.close()
  rested()
  expect(kept.at(-1)?.further).toHaveLength(1)
})

it('a place that is too long is torn off, put back and kept as its tab', () => {
  windows.show()
  const [first] = StandInWindow.opened
  const long = `#/c/local/s/a/files?path=${'a'.repeat(2000)}`
  first!.webContents.address = `${page}${long}`
  windows.tearOff(first as never)
  const [, own] = StandInWindow.opened
  expect(own?.address).toBe(`${page}?own#/c/local/s/a/files`)
  own!.webContents.address = `${page}?own${long}`
  own!.emit('move')
  rested()
  expect(kept.at(-1)?.further).toMatchObject([{ shows: '#/c/local/s/a/files' }])
  first!.webContents.sent.length = 0
  windows.putBack(own as never)
  expect(first?.webContents.sent).toEqual([[go, '#/c/local/s/a/files']])
})

it('a torn-off window that was told to close, and whose person stays, opens again at the next start', () => {
  windows.show('#/c/local/s/a/console')
  const [first] = StandInWindow.opened
  windows.tearOff(first as never)
  const [, own] = StandInWindow.opened
  own!.hangs = true
  own!.close()
  given.choice = 0
  own!.webContents.emit('will-prevent-unload', new StandInEvent())
  expect(kept.at(-1)?.further).toHaveLength(1)
  own!.hangs = false
  own!.close()
  expect(kept.at(-1)?.further).toEqual([])
})

it('a place that was kept and is none opens the first screen', () => {
  started({ ...fresh(), further: [{ shows: 'https://example.org', bounds: null, maximized: false }] }).show()
  expect(StandInWindow.opened[1]?.address).toBe(`${page}?own#/`)
})

it('eight further windows open at most, and another one once one of them is closed', () => {
  windows.show()
  const [first] = StandInWindow.opened
  const tearOff = (at: number) => {
    first!.webContents.address = `${page}#/c/local/s/${at}/console`
    return windows.tearOff(first as never)
  }
  expect(Array.from({ length: 10 }, (_, at) => tearOff(at))).toEqual([
    ...(Array(8).fill(true) as boolean[]),
    ...[false, false],
  ])
  expect(StandInWindow.opened).toHaveLength(9)
  expect(kept.at(-1)?.further).toHaveLength(8)
  StandInWindow.opened[1]!.close()
  expect(tearOff(10)).toBe(true)
})

it('what has a window of its own already is brought to the front', () => {
  windows.show('#/c/local/s/a/console')
  const [first] = StandInWindow.opened
  // The second of two clicks, before the page has left what was torn off.
  for (const _click of [1, 2]) expect(windows.tearOff(first as never)).toBe(true)
  expect(StandInWindow.opened).toHaveLength(2)
  expect(StandInWindow.opened[1]?.focused).toBe(true)
  expect(windows.tearOff(StandInWindow.opened[1] as never)).toBe(true)
  expect(StandInWindow.opened).toHaveLength(3)
})

it('a torn-off window that is the last one is put back into a first one that opens for it', () => {
  windows.show('#/c/local/s/a/console')
  const [first] = StandInWindow.opened
  windows.tearOff(first as never)
  first!.close()
  const [, own] = StandInWindow.opened
  mayClose = false
  windows.putBack(own as never)
  expect(own?.closed).toBe(true)
  expect(StandInWindow.opened[2]).toMatchObject({ closed: false, address: `${page}#/c/local/s/a/console` })
})
