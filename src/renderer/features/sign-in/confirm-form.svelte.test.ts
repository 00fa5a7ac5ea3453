import { tick } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import ConfirmForm from './ConfirmForm.svelte'
import { SignInDraft } from './sign-in.svelte.ts'

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'account.resend': () => ({ ok: true, value: undefined }),
    'account.confirm': () => ({ ok: true, value: null }),
  })
  window.panel = way
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const asked = () => way.called.filter(({ name }) => name === 'account.resend').length

it('counts down after a code was sent, and then another can be asked for', async () => {
  const { getByRole } = await render(ConfirmForm, { draft: new SignInDraft(null) })
  const button = getByRole('button', { name: /^Send a new code/ })
  await userEvent.click(button)
  await expect.element(button).toHaveTextContent('Send a new code (0:30)')
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(button, { force: true })
  expect(asked()).toBe(1)
  // Waiting for the page moves this clock on too, and a busy machine is waited for longer.
  const left = () => Number(/\(0:(\d\d)\)/.exec(button.element().textContent)?.[1])
  const before = left()
  vi.advanceTimersByTime(10_000)
  await tick()
  expect(left()).toBe(before - 10)
  vi.advanceTimersByTime(20_000)
  await expect.element(button).not.toHaveTextContent('(')
  await userEvent.click(button)
  await expect.poll(asked).toBe(2)
})

it('counts down for as long as the service wants no other request', async () => {
  way.answer('account.resend', () => ({
    ok: false,
    problem: { code: 'rate-limited', message: '', retryable: true, retryAfter: 600 },
  }))
  const { getByRole } = await render(ConfirmForm, { draft: new SignInDraft(null) })
  const button = getByRole('button', { name: /^Send a new code/ })
  await userEvent.click(button)
  await expect.element(button).toHaveTextContent('Send a new code (10:00)')
})

it('takes a code as it was pasted, with the spaces and dashes of a mail', async () => {
  const { getByLabelText, getByRole } = await render(ConfirmForm, { draft: new SignInDraft(null) })
  await userEvent.fill(getByLabelText('Code'), ' 123-456 ')
  await userEvent.click(getByRole('button', { name: 'Confirm' }))
  await expect.poll(() => way.called.at(-1)?.input).toMatchObject({ code: '123456' })
})
