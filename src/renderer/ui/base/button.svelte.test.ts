import { createRawSnippet } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import '../../app/theme.css'
import Button from './Button.svelte'

const children = createRawSnippet(() => ({ render: () => '<span>Stop</span>' }))

describe('a button', () => {
  it('does what it says when pressed', async () => {
    const onclick = vi.fn()
    const { getByRole } = await render(Button, { children, onclick })
    await userEvent.click(getByRole('button', { name: 'Stop' }))
    expect(onclick).toHaveBeenCalledOnce()
  })

  it('cannot be pressed with a reason, and says it when it gets the focus', async () => {
    const onclick = vi.fn()
    const { getByRole } = await render(Button, { children, onclick, reason: 'The server is not running.' })
    await userEvent.tab()
    const button = getByRole('button', { name: 'Stop' })
    await expect.element(button).toHaveFocus()
    await expect.element(button).toHaveAccessibleDescription('The server is not running.')
    await userEvent.keyboard('{Enter}')
    expect(onclick).not.toHaveBeenCalled()
    await expect.element(button).toBeDisabled()
  })

  it('shows that it is busy, and does nothing twice', async () => {
    const onclick = vi.fn()
    const { getByRole } = await render(Button, { children, onclick, busy: true })
    const button = getByRole('button', { name: 'Stop' })
    await expect.element(button).toHaveAttribute('aria-busy', 'true')
    await userEvent.click(button, { force: true })
    expect(onclick).not.toHaveBeenCalled()
  })

  it('does not send a form while it has a reason', async () => {
    const form = document.createElement('form')
    const submit = vi.fn((event: Event) => event.preventDefault())
    form.addEventListener('submit', submit)
    document.body.append(form)
    const { getByRole } = await render(
      Button,
      { children, type: 'submit', reason: 'Not yet.' },
      { baseElement: form },
    )
    await userEvent.click(getByRole('button', { name: 'Stop' }), { force: true })
    expect(submit).not.toHaveBeenCalled()
    form.remove()
  })
})
