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

it.each([
  'wrong wrong wrong',
  'password password',
  'falsch-falsch-falsch',
  'Minecraft Server',
  'Obermeier max Obermeier',
])('takes neither a word said again nor an obvious one for hard to guess: %s', async (password) => {
  const { getByLabelText, getByText } = await shown(['Maximiliane Obermeier', 'max@mail.example'])
  await userEvent.fill(getByLabelText('Password'), password)
  await expect.element(getByText(/^(Very e|E)asy to guess/)).toBeVisible()
})

it('takes a word with a year for no more than not that hard to guess', async () => {
  const { getByLabelText, getByText } = await shown()
  await userEvent.fill(getByLabelText('Password'), 'Minecraft2024!')
  await expect.element(getByText(/^Not that hard to guess/)).toBeVisible()
})

it('says what is wrong instead of how strong it is', async () => {
  const { getByText } = await render(NewPasswordInput, {
    ...{ label: 'Password', value: 'password123', error: 'Use another one.' },
  })
  await expect.element(getByText('Use another one.')).toBeVisible()
  expect(getByText(/easy to guess/).elements()).toHaveLength(0)
})
