import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import '../../app/theme.css'
import HiddenDialog from './HiddenDialog.fixture.svelte'

const dialog = page.getByRole('dialog', { name: 'Really?' })
const ask = page.getByRole('button', { name: 'Ask' })
let answers = 0
let keys = 0
const props = { chosen: () => answers++, keyed: () => keys++ }

it.each(['display', 'hidden', 'details'] as const)(
  'is seen and works where the part that opens it is hidden: %s',
  async (hide) => {
    answers = 0
    await render(HiddenDialog, { ...props, hide })
    await userEvent.click(ask)
    await expect.element(dialog).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Yes' }))
    expect(answers).toBe(1)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(ask).toHaveFocus()
  },
)

it('stays in sight where the part that opened it is hidden while it is open', async () => {
  const { rerender } = await render(HiddenDialog, { ...props, hide: null })
  await userEvent.click(ask)
  await rerender({ hide: 'display' })
  await expect.element(dialog).toBeVisible()
})

it('keeps its keys from the part that opened it', async () => {
  keys = 0
  await render(HiddenDialog, { ...props, hide: null })
  await userEvent.click(ask)
  await expect.element(dialog.getByRole('button', { name: 'No' })).toHaveFocus()
  await userEvent.keyboard('{Delete}')
  expect(keys).toBe(0)
})

it('goes with the part that opened it, and leaves nothing behind', async () => {
  const { unmount } = await render(HiddenDialog, { ...props, hide: null })
  await userEvent.click(ask)
  await expect.element(dialog).toBeVisible()
  await unmount()
  expect(document.querySelector('dialog')).toBeNull()
})

it('opens again, as often as it is asked', async () => {
  await render(HiddenDialog, { ...props, hide: null })
  for (let turn = 0; turn < 3; turn++) {
    await userEvent.click(ask)
    await expect.element(dialog).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'No' }))
    await expect.element(dialog).not.toBeInTheDocument()
  }
  expect(document.querySelectorAll('dialog')).toHaveLength(0)
})
