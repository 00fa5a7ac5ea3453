import { expect, it } from 'vitest'
import { faultOf, rulesOf } from './variable.ts'

const fault = (rules: string, value: string): string | null =>
  faultOf(rulesOf({ key: 'A', rules }), value)?.() ?? null

it.each([
  ['required|string|max:20', '', 'This field is required.'],
  ['required|string|max:3', 'four', 'Use at most 3 characters.'],
  ['string|min:3', '🙂🙂', 'Use at least 3 characters.'],
  ['required|integer|between:2,32', '33', 'Use at most 32.'],
  ['required|integer|between:2,32', '1', 'Use at least 2.'],
  ['required|integer', '1.5', 'Enter a whole number.'],
  ['required|numeric|min:0', 'much', 'Enter a number.'],
  ['required|in:survival,creative', 'hardcore', 'Choose one of the values.'],
])('%s refuses %j', (rules, value, words) => {
  expect(fault(rules, value)).toBe(words)
})

it.each([
  ['nullable|string|max:20', ''],
  ['required|string|max:3', '🙂🙂🙂'],
  ['required|in:a,"b,c"', 'b,c'],
  ['required|numeric|between:0,1', '0.5'],
  ['required|boolean', '0'],
  // Of patterns, and of whatever isn't known, the host is the judge.
  ['required|regex:/^(a+)+$/', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'],
  ['required|max:many|some_rule:of,a,plugin', 'x'],
  ['', 'x'],
])('%s takes %j', (rules, value) => {
  expect(fault(rules, value)).toBeNull()
})
