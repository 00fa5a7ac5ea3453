import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import Button from './Button.svelte'

it('takes away why something cannot be done as soon as it can, also while it is pointed at', async () => {
  const shown = await render(Button, { label: 'Save', reason: 'There is nothing to save.' })
  await userEvent.hover(page.getByRole('button'))
  await expect.element(page.getByRole('tooltip')).toMatchTextContent(/There is nothing to save/)
  await shown.rerender({ reason: 'The service cannot be reached now.' })
  await expect.element(page.getByRole('tooltip')).toMatchTextContent(/cannot be reached now/)
  await shown.rerender({ reason: null, label: undefined })
  await expect.poll(() => page.getByRole('tooltip').query()).toBeNull()
})
