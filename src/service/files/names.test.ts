import { expect, test } from 'vitest'
import { numbered, splitLast } from './names.ts'

test('a number goes before the ending, also a double one, and after a name that is all ending', () => {
  expect(numbered('world.zip', 2)).toBe('world (2).zip')
  expect(numbered('backup.tar.gz', 3)).toBe('backup (3).tar.gz')
  expect(numbered('world', 2)).toBe('world (2)')
  expect(numbered('.env', 2)).toBe('.env (2)')
  expect(numbered('世界.dat', 12)).toBe('世界 (12).dat')
})

test('a name that would become too long is cut between letters, not within one', () => {
  const name = numbered(`${'語'.repeat(84)}.da`, 2)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  expect(name).toMatch(/^語+ \(2\)\.da$/)
})

test('a path is split into its folder and its name', () => {
  expect(splitLast('a/b/c')).toEqual({ folder: 'a/b', name: 'c' })
  expect(splitLast('c')).toEqual({ folder: '', name: 'c' })
})
