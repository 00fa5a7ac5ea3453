import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import '../../../app/theme.css'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import TurnOn from './TurnOn.svelte'

it('recovery codes stay until somebody says that they are kept, and nobody leaves before they are there', async () => {
  let answer: (codes: string[]) => void = () => undefined
  window.panel = new ScriptedBridge({
    'account.begin-second-factor': () => ({ ok: true, value: { secret: 'ABCD', uri: 'otpauth://totp/x' } }),
    'account.turn-on-second-factor': () =>
      new Promise((resolve) => {
        answer = (recoveryCodes) => resolve({ ok: true, value: { recoveryCodes } })
      }),
  })
  let closed = 0
  const { getByLabelText, getByRole, getByText } = await render(TurnOn, {
    ...{ connectionId: 'c', close: () => void closed++ },
  })
  await userEvent.fill(getByLabelText('Current password'), 'Ann likes long passwords')
  await userEvent.click(getByRole('button', { name: 'Continue' }))
  await userEvent.fill(getByRole('textbox'), '123456')
  await userEvent.click(getByRole('button', { name: 'Turn on' }))
  await userEvent.click(getByRole('button', { name: 'Cancel' }))
  await userEvent.keyboard('{Escape}{Escape}')
  answer(['one-code', 'other-code'])
  await expect.element(getByText('other-code')).toBeVisible()
  await userEvent.keyboard('{Escape}{Escape}')
  document.querySelector('dialog')?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  await expect.element(getByText('other-code')).toBeVisible()
  expect(closed).toBe(0)
  await userEvent.click(getByRole('button', { name: 'I have kept them' }))
  expect(closed).toBe(1)
})
