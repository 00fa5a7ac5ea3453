import { afterEach, expect, it } from 'vitest'
import { giveLostFocus, isFocusLost } from './lost-focus.ts'

const button = (name: string): HTMLButtonElement => {
  const made = document.createElement('button')
  made.textContent = name
  document.body.append(made)
  return made
}
afterEach(() => document.body.replaceChildren())

it('gives the focus that was lost, and takes it from nobody', async () => {
  const [one, other] = [button('one'), button('other')]
  await giveLostFocus(() => one)
  expect(document.activeElement).toBe(one)
  await giveLostFocus(() => other)
  expect(document.activeElement).toBe(one)
})

it('lends the focus to what keeps it until something better appears, or until it is moved', async () => {
  const [kept, better, other] = [button('kept'), button('better'), button('other')]
  await giveLostFocus(() => kept, 'lend')
  expect(document.activeElement).toBe(kept)
  expect(isFocusLost()).toBe(true)
  await giveLostFocus(() => better)
  expect(document.activeElement).toBe(better)
  expect(isFocusLost()).toBe(false)

  better.remove()
  await giveLostFocus(() => kept, 'lend')
  other.focus()
  kept.focus()
  await giveLostFocus(() => other)
  expect(document.activeElement).toBe(kept)
})
