import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  keepWindowState,
  placeAmong,
  placed,
  readWindowState,
  type WindowState,
  Recoveries,
} from './window-state.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'wheelhouse-window-'))))
afterEach(() => rm(folder, { recursive: true }))

const fresh = (): WindowState => ({ places: [], further: [], theme: 'system', language: 'system' })
const laptop = { x: 0, y: 0, width: 1440, height: 870 }
const desk = { x: 1440, y: 0, width: 2560, height: 1400 }
const there = { bounds: { x: 1600, y: 50, width: 1200, height: 900 }, maximized: false }
const here = { bounds: { x: 20, y: 20, width: 900, height: 700 }, maximized: true }

it('a window opens where it stood among the same screens', () => {
  const state = fresh()
  placed(state, [laptop, desk], there)
  placed(state, [laptop], here)
  expect(placeAmong(state, [desk, laptop])).toEqual(there)
  expect(placeAmong(state, [laptop])).toEqual(here)
  placed(state, [laptop], { ...here, maximized: false })
  expect(placeAmong(state, [laptop]).maximized).toBe(false)
  expect(state.places).toHaveLength(2)
})

it('a window does not open on a screen that is gone', () => {
  const state = fresh()
  placed(state, [laptop, desk], there)
  expect(placeAmong(state, [laptop])).toEqual({ bounds: null, maximized: false })
  expect(placeAmong(fresh(), [laptop])).toEqual({ bounds: null, maximized: false })
})

it('a few arrangements are remembered, those used last', async () => {
  const state = fresh()
  for (let width = 1000; width < 1020; width++) placed(state, [{ ...laptop, width }], here)
  expect(state.places).toHaveLength(8)
  expect(state.places.at(-1)?.screens).toBe('0,0,1019,870')
  keepWindowState(folder, { ...state, theme: 'dark' })
  expect(await readWindowState(folder)).toEqual({ ...state, theme: 'dark' })
})

it.each(['', '{', '{"bounds":{"x":"1"}}', 'null', '{"places":[{"bounds":null}],"theme":"dark"}'])(
  'it starts afresh where the file holds %s',
  async (text) => {
    await writeFile(join(folder, 'window.json'), text)
    expect(await readWindowState(folder)).toEqual(fresh())
  },
)

it('a torn-off window that cannot be read costs neither the place of the first one nor the settings', async () => {
  const [places, theme, language] = [[{ ...here, screens: '0,0,1440,870' }], 'dark', 'de']
  const further = [{ bounds: null, maximized: false, shows: `#/${'a'.repeat(2000)}` }]
  await writeFile(join(folder, 'window.json'), JSON.stringify({ places, further, theme, language }))
  expect(await readWindowState(folder)).toEqual({ places, further: [], theme, language })
})

it('nothing is kept where the folder cannot be written, without a word', async () => {
  keepWindowState(join(folder, 'missing'), fresh())
  expect(await readWindowState(folder)).toEqual(fresh())
})

it('a page comes back three times by itself, and again after it stood for a while', () => {
  const recoveries = new Recoveries()
  expect([0, 1, 2, 3, 4].map((at) => recoveries.crashed(at))).toEqual([
    'reload',
    'reload',
    'reload',
    'ask',
    'ask',
  ])
  expect(recoveries.crashed(11 * 60_000)).toBe('reload')
})
