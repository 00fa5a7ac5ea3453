import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import '../../app/theme.css'
import NewPasswordInput from './NewPasswordInput.svelte'

const shown = (own: string[] = []) =>
  render(NewPasswordInput, { label: 'Password', value: '', error: null, own })

it('says how hard a password is to guess while it is typed, and not before it is long enough', async () => {
  const { getByLabelText, getByText, container } = await shown()
  await expect.element(getByText(/^At least 10 characters/)).toBeVisible()
  await userEvent.fill(getByLabelText('Password'), 'password123')
  await expect.element(getByText(/^Very easy to guess/)).toBeVisible()
  await userEvent.fill(getByLabelText('Password'), 'seven otters like cold tea on Mondays')
  await expect.element(getByText('Very hard to guess.')).toBeVisible()
  await userEvent.fill(getByLabelText('Password'), 'seven')
  await expect.element(getByText(/^At least 10 characters/)).toBeVisible()
  expect(container.querySelector('[data-strength]')).toBeNull()
})

it('knows whose password it is: a name alone is easy to guess', async () => {
  const { getByLabelText, getByText } = await shown(['Maximiliane Obermeier'])
  await userEvent.fill(getByLabelText('Password'), 'Maximiliane Obermeier')
  await expect.element(getByText(/^(Very e|E)asy to guess/)).toBeVisible()
})

it('shows what is typed only as long as somebody wants that', async () => {
  const { getByLabelText, getByRole } = await shown()
  const input = getByLabelText('Password')
  await userEvent.fill(input, 'seven otters')
  await expect.element(input).toHaveAttribute('type', 'password')
  await userEvent.click(getByRole('button', { name: 'Show characters' }))
  await expect.element(input).toHaveAttribute('type', 'text')
  await expect.element(input).toHaveValue('seven otters')
  await userEvent.click(getByRole('button', { name: 'Hide characters' }))
  await expect.element(input).toHaveAttribute('type', 'password')
})

it('says what is wrong instead of how strong it is', async () => {
  const { getByText } = await render(NewPasswordInput, {
    ...{ label: 'Password', value: 'password123', error: 'Use another one.' },
  })
  await expect.element(getByText('Use another one.')).toBeVisible()
  expect(getByText(/easy to guess/).elements()).toHaveLength(0)
})
