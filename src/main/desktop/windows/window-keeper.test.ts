import { expect, it } from 'vitest'
import { WindowKeeper } from './window-keeper.ts'
import type { WindowState } from './window-state.ts'

it('a setting that changes while a window is being moved is kept at once, and where it stands once it rests', () => {
  const state: WindowState = { places: [], further: [], theme: 'system', language: 'system' }
  const kept: WindowState[] = []
  let rested = () => {}
  const keeper = new WindowKeeper({
    state,
    write: (now) => kept.push(structuredClone(now)),
    after: (_ms, run) => {
      rested = run
      return () => void (rested = () => {})
    },
  })
  const place = { bounds: null, maximized: true, screens: 'one' }
  keeper.soon((now) => (now.places = [place]))
  keeper.look({ theme: 'dark', language: 'de' })
  expect(kept).toEqual([{ ...state, places: [], theme: 'dark', language: 'de' }])
  rested()
  expect(kept.at(-1)).toMatchObject({ theme: 'dark', places: [place] })
  // What was to be taken in soon has been.
  rested()
  keeper.now()
  expect(kept).toHaveLength(2)
})
