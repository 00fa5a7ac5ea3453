import { expect, it } from 'vitest'
import { zoomed } from './window-state.ts'

it('a turn of the wheel is a step, which the other way takes back', () => {
  expect(zoomed(0, 'in')).toBe(0.5)
  expect(zoomed(zoomed(0, 'in'), 'out')).toBe(0)
})

it('a page stays readable and within its window, however long the wheel is turned', () => {
  let [small, large] = [0, 0]
  for (let times = 0; times < 100; times++) [small, large] = [zoomed(small, 'out'), zoomed(large, 'in')]
  expect([small, large]).toEqual([-4, 8])
  expect(zoomed(NaN, 'in')).toBe(0.5)
})
