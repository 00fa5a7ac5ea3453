import type { Component } from 'svelte'
import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import './theme.css'
import '../messages/en.ts'
import { HeldPresses } from '../core/held-presses.svelte.ts'
import { ScriptedBridge } from '../core/scripted-bridge.fixture.ts'
import Lazy from '../ui/feedback/Lazy.svelte'
import { notices } from '../ui/feedback/notices.svelte.ts'

type PartModule = { default: Component<Record<string, unknown>> }

/** A part that comes when the test says so. */
function late(part: () => Promise<unknown>) {
  const gate = Promise.withResolvers<void>()
  const load = vi.fn(() => gate.promise.then(part) as Promise<PartModule>)
  return { load, come: () => gate.resolve(), fail: () => gate.reject(new Error('It is gone.')) }
}
const show = (props: object) => render(Lazy, { props: { quiet: true, ...props } as never })
const menu = () => import('../ui/dialog/OpenedMenu.svelte')
const folderDialog = () => import('./rail/FolderDialog.svelte')
const shortcuts = () => import('./Shortcuts.svelte')

/** A place in which somebody presses something, with what was answered there. */
function place() {
  document.body.innerHTML = ''
  const list = document.createElement('main')
  list.innerHTML = '<a href="#elsewhere" data-thing>Thing</a> <button>Other</button>'
  document.body.append(list)
  const answered: string[] = []
  const answer = () => {
    for (const type of ['contextmenu', 'click', 'keydown'] as const)
      list.addEventListener(type, (event) => {
        const at = event instanceof KeyboardEvent ? event.key : event.ctrlKey ? 'with Ctrl' : event.button
        const x = event instanceof MouseEvent ? Math.round(event.clientX) : null
        answered.push([type, at, ...(type === 'contextmenu' ? [x] : [])].join(' '))
        event.preventDefault()
      })
  }
  const presses = new HeldPresses(
    (event) =>
      event.type === 'contextmenu' ||
      (event instanceof MouseEvent ? event.ctrlKey : event instanceof KeyboardEvent && event.key === 'F2'),
  )
  const letGo = presses.within(list)
  return { list, answered, answer, presses, letGo }
}

test('what is pressed for a part before it is there happens when it comes, in its order and at its place', async () => {
  const { list, answered, answer, presses, letGo } = place()
  const thing = page.getByText('Thing')
  const x = list.querySelector('a')!.getBoundingClientRect().left + 5
  await userEvent.click(thing, { button: 'right', position: { x: 5, y: 5 } })
  await userEvent.click(thing, { modifiers: ['Control'] })
  list.querySelector('a')!.focus()
  await userEvent.keyboard('{F2}')
  expect(presses.count).toBe(3)
  expect(location.hash).toBe('')
  answer()
  presses.release()
  expect(answered).toEqual([`contextmenu 2 ${Math.round(x)}`, 'click with Ctrl', 'keydown F2'])
  await userEvent.click(page.getByText('Other'))
  expect(answered.at(-1)).toBe('click 0')
  letGo()
})

test('what is gone when the part comes is not pressed, and neither is what failed to come', async () => {
  const { list, answered, answer, presses, letGo } = place()
  await userEvent.click(page.getByText('Thing'), { button: 'right' })
  list.querySelector('a')!.remove()
  await userEvent.click(page.getByText('Other'), { button: 'right' })
  presses.drop()
  answer()
  presses.release()
  expect(answered).toEqual([])
  letGo()
})

test('a part that cannot be loaded says so, and offers to reload the panel', async () => {
  const { presses, letGo } = place()
  const { load, fail } = late(shortcuts)
  await show({ load, props: {}, presses })
  await userEvent.click(page.getByText('Thing'), { button: 'right' })
  fail()
  const heading = page.getByRole('heading', { name: 'This part of the panel couldn’t be loaded' })
  await expect.element(heading).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Reload the panel' })).toBeVisible()
  letGo()
})

test('keys that are pressed for a menu before it is there choose in it', async () => {
  document.body.innerHTML = '<main><input aria-label="Behind"></main>'
  const { load, come } = late(menu)
  const chosen: string[] = []
  const item = (label: string) => ({ label, choose: () => void chosen.push(label) })
  const close = vi.fn()
  const props = { label: 'Menu', items: [item('First'), item('Second'), item('Third')], close }
  ;(page.getByLabelText('Behind').element() as HTMLElement).focus()
  await show({ load, props: { ...props, anchor: document.querySelector('main') } })
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(page.getByLabelText('Behind').element()).toHaveFocus()
  come()
  await expect.poll(() => chosen).toEqual(['Second'])
})

test('what is typed for a dialog before it is there stands in it, and nothing confirms it unseen', async () => {
  window.panel = new ScriptedBridge({ 'rail.read': () => ({ ok: true, value: [] }) })
  document.body.innerHTML = '<main><input aria-label="Behind"></main>'
  const { load, come } = late(folderDialog)
  ;(page.getByLabelText('Behind').element() as HTMLElement).focus()
  const close = vi.fn()
  await show({ load, props: { connectionId: 'c', folderId: null, close } })
  await userEvent.keyboard('Friends/?{Enter}')
  come()
  await expect.element(page.getByRole('dialog').getByRole('textbox')).toHaveValue('Friends/?')
  expect(page.getByLabelText('Behind').element()).toHaveValue('')
  expect(close).not.toHaveBeenCalled()
  await userEvent.keyboard('!')
  await expect.element(page.getByRole('dialog').getByRole('textbox')).toHaveValue('Friends/?!')
})

test('Escape takes a dialog away before it is there, and one that cannot be loaded is told in a notice', async () => {
  for (const how of ['escape', 'failure'] as const) {
    document.body.innerHTML = '<main></main>'
    const { load, come, fail } = late(shortcuts)
    const close = vi.fn()
    const { unmount } = await show({ load, props: { close } })
    if (how === 'escape') await userEvent.keyboard('{Escape}')
    else fail()
    await expect.poll(() => close.mock.calls.length).toBe(1)
    await unmount()
    come()
  }
  expect(notices().map(({ text }) => text())).toEqual([
    'This part of the panel couldn’t be loaded: Something went wrong in the panel',
  ])
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
})
