import { expect, test } from 'vitest'
import { newPartsOf, partsOf } from './names.ts'

/** The code a path is refused with, and `there` or `new` where it can be that. */
function judged(path: string, platform: NodeJS.Platform): string[] {
  return [partsOf, newPartsOf].map((judge, at) => {
    try {
      expect(judge(path, platform).join('/')).toBe(path)
      return ['there', 'new'][at]!
    } catch (error) {
      return String((error as { code?: string }).code)
    }
  })
}

const FINE = ['there', 'new']
const THERE = ['there', 'files.name-invalid']
const ELSEWHERE = ['there', 'files.outside']
const INVALID = ['files.name-invalid', 'files.name-invalid']
const OUTSIDE = ['files.outside', 'files.outside']

test.each([
  ['world/level.dat', FINE, FINE],
  ['..a', FINE, FINE],
  // What Windows takes for something else is a name everywhere else.
  ['players/con.yml', FINE, INVALID],
  ['src/aux.c', FINE, INVALID],
  ['NUL', FINE, INVALID],
  ['trail.', FINE, INVALID],
  ['trail ', FINE, INVALID],
  ['name:with', FINE, INVALID],
  ['what?', FINE, INVALID],
  // A mistake, or a path of Windows: what has such a name can be used, and nothing new gets it.
  ['back\\slash', THERE, INVALID],
  ['two\nlines', THERE, INVALID],
  ['bell\u0007', THERE, INVALID],
  ['delete\u007f', THERE, INVALID],
  ['  ', THERE, INVALID],
  ['\\etc', ELSEWHERE, OUTSIDE],
  ['C:\\server', ELSEWHERE, OUTSIDE],
  ['c:file', ELSEWHERE, OUTSIDE],
  ['a\\..\\..\\b', ELSEWHERE, OUTSIDE],
  // No name at all.
  ['a//b', INVALID, INVALID],
  ['a/', INVALID, INVALID],
  ['./a', INVALID, INVALID],
  ['nul\0', INVALID, INVALID],
  ['half\ud800', INVALID, INVALID],
  ['..', OUTSIDE, OUTSIDE],
  ['a/../../b', OUTSIDE, OUTSIDE],
  ['/etc', OUTSIDE, OUTSIDE],
])('of %j', (path, elsewhere, onWindows) => {
  expect([judged(path, 'linux'), judged(path, 'darwin'), judged(path, 'win32')]).toEqual([
    elsewhere,
    elsewhere,
    onWindows,
  ])
})

test('what is to be made has up to 100 names in its path; what is there may have more', () => {
  const path = (names: number) => Array.from({ length: names }, () => 'd').join('/')
  expect(judged(path(100), 'linux')).toEqual(FINE)
  expect(judged(path(101), 'linux')).toEqual(['there', 'files.too-deep'])
  expect(judged(path(2000), 'win32')).toEqual(['there', 'files.too-deep'])
})

test.runIf(process.platform === 'linux')('a byte that is not UTF-8 has one form alone', () => {
  expect(judged('l\uf782o.txt', 'linux')).toEqual(FINE)
  // These two stand for the bytes of “ä”, which has a form of its own.
  expect(judged('\uf7c3\uf7a4', 'linux')).toEqual(INVALID)
})
