import { expect, test } from 'vitest'
import { isWorldFolder } from './paths.ts'

test.each(['world', 'worlds/my world..', 'a/./b', 'Welt-Müller'])('%j is a folder of the server', (name) => {
  expect(isWorldFolder(name)).toBe(true)
})

test.each([
  '',
  '.',
  './',
  '..',
  '../x',
  'a/../../b',
  '/srv',
  'C:\\x',
  '\\\\host\\x',
  'a\\..\\b',
  'a\nb',
  'a\0',
])('%j is not', (name) => {
  expect(isWorldFolder(name)).toBe(false)
})
