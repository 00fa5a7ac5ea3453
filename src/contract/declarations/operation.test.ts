import { expect, it } from 'vitest'
import { idResourceOf, isTextAlone } from './also-named.ts'
import { always, maybe } from './operation.ts'
// Whatever is noted about a schema is noted where the areas are declared.
import '../areas/index.ts'

const shared = { ...always, ...maybe }

it.each(Object.entries(shared))(
  'nothing is noted about %s, which fields of many areas share',
  (_name, schema) => {
    expect(idResourceOf(schema)).toBeUndefined()
    expect(isTextAlone(schema)).toBe(false)
  },
)

it.each([
  [maybe.text, ['', 'a', null, undefined], [1]],
  [maybe.flag, [true, false, null, undefined], ['true']],
  [maybe.number, [-1.5, 0, null, undefined], ['1']],
  [maybe.whole, [-1, 0, null, undefined], [1.5]],
  [maybe.count, [0, 7, null, undefined], [-1, 1.5]],
  [maybe.amount, [0, 1.5, null, undefined], [-1]],
  [always.text, ['', 'a'], [null, undefined]],
  [always.filled, ['a'], ['', null, undefined]],
])('a shared field takes what it says: number %#', (schema, fits, others) => {
  for (const value of fits) expect(schema.safeParse(value).success).toBe(true)
  for (const value of others) expect(schema.safeParse(value).success).toBe(false)
})
