import { expect, test } from 'vitest'
import { nameFault, numbered, shownName, stemLength } from './names.ts'

test('a number goes before the ending, also a double one, and after a name that is all ending', () => {
  expect(numbered('world.zip', 2)).toBe('world (2).zip')
  expect(numbered('backup.tar.gz', 3)).toBe('backup (3).tar.gz')
  expect(numbered('world', 2)).toBe('world (2)')
  expect(numbered('.env', 2)).toBe('.env (2)')
  expect(numbered('v1. the last one', 2)).toBe('v1. the last one (2)')
  expect(numbered('世界.dat', 12)).toBe('世界 (12).dat')
})

test('a name that would become too long is cut between letters, not within one', () => {
  const name = numbered(`${'語'.repeat(84)}.da`, 2)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  expect(name).toMatch(/^語+ \(2\)\.da$/)
  expect(Buffer.byteLength(numbered('🐻'.repeat(60), 2, 100))).toBe(100)
})

test('names are renamed up to their ending', () => {
  expect(['world.tar.gz', '.bashrc', 'v1.2 notes', 'a.yml'].map(stemLength)).toEqual([5, 7, 10, 1])
})

test.each([
  ['', 'blank'],
  [' ', 'blank'],
  ['.', 'here'],
  ['..', 'up'],
  ['a/b', 'slash'],
  ['a\\b', 'backslash'],
  ['a\nb', 'control'],
  ['a\u007f', 'delete'],
  ['a.', 'ending'],
  ['a ', 'ending'],
  ['aux.txt', 'device'],
  ['Com1', 'device'],
  ['auxiliary.txt', null],
  ['a:b', 'windows-character'],
  ['a\ud800', 'unicode'],
  ['世'.repeat(86), 'long'],
  ['世界 🌍 #%!.yml', null],
] as const)('of %j that is wrong: %j', (name, fault) => {
  const minded = [
    'blank',
    'here',
    'up',
    'slash',
    'backslash',
    'control',
    'delete',
    'ending',
    'device',
  ] as const
  expect(nameFault(name, [...minded, 'windows-character', 'unicode'])).toBe(fault)
  if (fault !== null && fault !== 'long') expect(nameFault(name, [])).toBe(null)
})

test('bytes that are not UTF-8 are shown as what cannot be shown, and each counts as one byte of a name', () => {
  expect(shownName('l\uf782o\n.txt')).toBe('l\ufffdo\ufffd.txt')
  expect(nameFault('\uf782'.repeat(255), [])).toBe(null)
  expect(nameFault('\uf782'.repeat(256), [])).toBe('long')
  expect(numbered(`${'\uf7e4'.repeat(255)}.yml`, 2)).toBe(`${'\uf7e4'.repeat(247)} (2).yml`)
})
