import { expect, test } from 'vitest'
import { inRuns } from './in-runs.ts'

const named = (names: string[]) => names.map((name) => ({ name }))

test('names that differ in their last number alone stand together, by that number', () => {
  const counted = Array.from({ length: 400 }, (_, at) => at)
  const names = [...counted.map((at) => `r.1.${at}.mca`), ...counted.map((at) => `chunk ${at}`), 'none', '7']
  const mixed = named(names.toSorted())
  const result = inRuns(mixed).map(({ name }) => name)
  expect(result.toSorted()).toEqual(names.toSorted())
  const only = (begin: string) => result.filter((name) => name.startsWith(begin))
  expect(only('r.')).toEqual(counted.map((at) => `r.1.${at}.mca`))
  expect(only('chunk')).toEqual(counted.map((at) => `chunk ${at}`))
  const first = result.indexOf('chunk 0')
  expect(result.slice(first, first + 400)).toEqual(counted.map((at) => `chunk ${at}`))
})

test('no entry is lost or doubled, however long its numbers are and however many there are', () => {
  for (const count of [499, 500, 50_000, 70_000]) {
    const entries = named(Array.from({ length: count }, (_, at) => `${'9'.repeat(at % 400)}.${at}`))
    expect(new Set(inRuns(entries))).toEqual(new Set(entries))
    expect(inRuns(entries)).toHaveLength(count)
  }
  const huge = named(Array.from({ length: 600 }, (_, at) => '9'.repeat(at + 1)))
  expect(new Set(inRuns(huge))).toEqual(new Set(huge))
  expect(inRuns(huge)).toHaveLength(600)
})
