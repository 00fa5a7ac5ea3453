import { expect, test } from 'vitest'
import { isWithin, joined, nameOf, parentOf, splitLast } from './paths.ts'

test('paths come apart and together again', () => {
  expect([joined('', 'a'), joined('a/b', 'c'), joined('a', '', 'b')]).toEqual(['a', 'a/b/c', 'a/b'])
  expect([parentOf('a/b/c'), parentOf('a'), nameOf('a/b'), nameOf('a')]).toEqual(['a/b', '', 'b', 'a'])
  expect(splitLast('a/b/c')).toEqual({ folder: 'a/b', name: 'c' })
  expect(splitLast('c')).toEqual({ folder: '', name: 'c' })
})

test('what lies within a folder is told from what is only called alike', () => {
  expect(isWithin('world/region', 'world')).toBe(true)
  expect(isWithin('world', 'world')).toBe(true)
  expect(isWithin('world_nether', 'world')).toBe(false)
  expect(isWithin('world', '')).toBe(true)
})
