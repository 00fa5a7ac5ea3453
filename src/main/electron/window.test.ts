import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { given, StandInEvent, StandInWindow, told } from './electron-stand-in.ts'
import { keepWindowState, readWindowState, type WindowState } from './window-state.ts'
import { openWindow, stateOf } from './window.ts'

vi.mock('electron', () => import('./electron-stand-in.ts'))

const fresh: WindowState = { bounds: null, maximized: false, theme: 'system' }
const opened = (state: WindowState) => {
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
    expect(window.address).toBe('app://panel/index.html')
    expect(window.options.show).toBe(false)
    expect(window.visible).toBe(false)
    window.emit('ready-to-show')
    expect(window.visible).toBe(true)
  })

  it("has the page's colour before it is painted", () => {
    given.dark = true
    const dark = opened(fresh).options.backgroundColor
    given.dark = false
    expect(opened(fresh).options.backgroundColor).not.toBe(dark)
  })

  it('opens where it was, unless no screen is there any more', () => {
    const bounds = { x: 200, y: 100, width: 900, height: 700 }
    expect(opened({ ...fresh, bounds }).options).toMatchObject(bounds)
    const beyond = { ...bounds, x: 2500 }
    expect(opened({ ...fresh, bounds: beyond }).options.x).toBeUndefined()
    expect(opened({ ...fresh, maximized: true }).maximized).toBe(true)
  })

  it('loads its page again after a crash, and leaves it when it crashes on', () => {
    const window = opened(fresh)
    window.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' })
    expect(window.webContents.reloads).toBe(0)
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(window.webContents.reloads).toBe(1)
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

describe("the window's state", () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-window-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is there again at the next start', async () => {
    const window = opened({ ...fresh, bounds: { x: 5, y: 6, width: 800, height: 600 } })
    keepWindowState(folder, { ...stateOf(window as never), theme: 'dark' })
    expect(await readWindowState(folder)).toEqual({
      bounds: { x: 5, y: 6, width: 800, height: 600 },
      maximized: false,
      theme: 'dark',
    })
  })

  it.each(['', '{', '{"bounds":{"x":"1"}}', 'null'])(
    'starts afresh where the file holds %s',
    async (text) => {
      await writeFile(join(folder, 'window.json'), text)
      expect(await readWindowState(folder)).toEqual(fresh)
    },
  )

  it('is not kept where the folder cannot be written, without a word', async () => {
    keepWindowState(join(folder, 'missing'), fresh)
    expect(await readWindowState(folder)).toEqual(fresh)
  })
})
