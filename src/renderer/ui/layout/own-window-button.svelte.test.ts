import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import OwnWindowButton from './OwnWindowButton.svelte'

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'desktop.tear-off': () => ({ ok: true, value: undefined }),
    'desktop.put-back': () => ({ ok: true, value: undefined }),
  })
  window.panel = way
})

/** The panel in a window of its own, or in a browser, as it tells. */
function inWay(kind: 'electron' | 'browser') {
  const info = { way: kind } as typeof panel.info
  Object.defineProperty(panel, 'info', { configurable: true, get: () => info })
  onTestFinished(() => void Reflect.deleteProperty(panel, 'info'))
}

it('moves what is shown into a window of its own, once nobody has to be asked', async () => {
  inWay('electron')
  let go: () => void = () => undefined
  await render(OwnWindowButton, { before: (move: () => void) => void (go = move) })
  await page.getByRole('button', { name: 'Open in its own window' }).click()
  expect(way.called).toEqual([])
  go()
  expect(way.called.map(({ name }) => name)).toEqual(['desktop.tear-off'])
})

it('of two clicks, the second moves nothing while the first is not done', async () => {
  inWay('electron')
  const moved = Promise.withResolvers<{ ok: true; value: undefined }>()
  way.answer('desktop.tear-off', () => moved.promise)
  await render(OwnWindowButton)
  const button = page.getByRole('button', { name: 'Open in its own window' })
  await button.dblClick({ force: true })
  expect(way.called).toHaveLength(1)
  moved.resolve({ ok: true, value: undefined })
  await expect.element(button).not.toHaveAttribute('aria-busy')
  await button.click()
  expect(way.called).toHaveLength(2)
})

it('moves it back from there', async () => {
  inWay('electron')
  const { href } = location
  onTestFinished(() => history.replaceState(null, '', href))
  history.replaceState(null, '', `${location.pathname}?own`)
  await render(OwnWindowButton)
  await page.getByRole('button', { name: 'Move back to the first window' }).click()
  expect(way.called.map(({ name }) => name)).toEqual(['desktop.put-back'])
})

it('is not there in a browser, which has windows of its own', async () => {
  inWay('browser')
  await render(OwnWindowButton)
  expect(page.getByRole('button').query()).toBeNull()
})
