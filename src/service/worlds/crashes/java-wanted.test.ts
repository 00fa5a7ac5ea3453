import { expect, test } from 'vitest'
import { javaWanted } from './java-wanted.ts'

test.each([
  ['version 21 or later', '17', { needed: 21, present: 17 }],
  ['version 17.0.5 or earlier', '21', { atMost: 17, present: 21 }],
  ['any version after 17', '17', { needed: 18, present: 17 }],
  ['any version before 22', '25', { atMost: 21, present: 25 }],
  ['any 21.x version', '17', { needed: 21, present: 17 }],
  ['version 17', '21', { atMost: 17, present: 21 }],
  ['version 17 or version 25', '21', { needed: 25, present: 21 }],
  ['any version between 17 (inclusive) and 22 (exclusive)', '8', { needed: 17, present: 8 }],
  ['any version between 16 (exclusive) and 21 (inclusive)', '22', { atMost: 21, present: 22 }],
  ['[21,)', '17', { needed: 21, present: 17 }],
  ['(,17]', '21', { atMost: 17, present: 21 }],
  ['version [21, ∞)', undefined, { needed: 21 }],
  ['version { (-∞, 21) }', undefined, { atMost: 20 }],
  ['version [17, 17]', undefined, { needed: 17 }],
  ['something else', '21', { present: 21 }],
])('a mod that needs Java “%s” with %s installed wants %o', (wanted, present, expected) => {
  expect(javaWanted({ kind: 'needs', wanted, present })).toEqual(expected)
})

test.each([
  ['version 22 or later', '25', { atMost: 21, present: 25 }],
  ['any version before 21', '17', { needed: 21, present: 17 }],
  ['any version', '21', { present: 21 }],
])('a mod that breaks with Java “%s” with %s installed wants %o', (wanted, present, expected) => {
  expect(javaWanted({ kind: 'breaks', wanted, present })).toEqual(expected)
})
