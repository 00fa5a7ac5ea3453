import { globSync, readFileSync } from 'node:fs'
import { Linter } from 'eslint'
import { expect, test } from 'vitest'
import { at } from '../scripts/project.js'
import { sizesConfig } from './sizes.js'

/** What the linter says of a file of the project that holds this. */
function saidOf(file: string, text: string): string[] {
  const linter = new Linter({ cwd: '/project' })
  const config = [{ ...sizesConfig, files: ['**/*.js', '**/*.ts'] }]
  return linter.verify(text, config, { filename: `/project/${file}` }).map(({ message }) => message)
}

const lines = (count: number) => 'a()\n'.repeat(count)

test('a file of 350 lines is taken, and one more is not', () => {
  expect(saidOf('src/a.js', lines(350))).toEqual([])
  expect(saidOf('src/a.js', lines(351))).toEqual([
    'This file has 351 lines, and may have 350. It is several.',
  ])
})

test.each(['function f() {', 'const f = () => {', 'const o = { f() {', 'class A { f() {'])(
  'a function of 80 lines is taken, and one more is not: %s',
  (begin) => {
    const end = '}'.repeat(begin.split('{').length - 1)
    expect(saidOf('src/a.js', `${begin}\n${lines(78)}${end}`)).toEqual([])
    expect(saidOf('src/a.js', `${begin}\n${lines(79)}${end}`)).toEqual([
      'This function has 81 lines, and may have 80. It is several.',
    ])
  },
)

test('a list of tests may be as long as its file, and a test may not', () => {
  expect(saidOf('src/a.test.js', `describe.each([1])('a', () => {\n${lines(100)}})`)).toEqual([])
  expect(saidOf('tests/a.spec.js', `test.describe('a', () => {\n${lines(100)}})`)).toEqual([])
  expect(saidOf('tests/a.spec.js', `test('a', () => {\n${lines(100)}})`)).toHaveLength(1)
  expect(saidOf('src/a.test.js', `it('a', () => {\n${lines(100)}})`)).toHaveLength(1)
})

test('what only Electron can run stays below 1,400 lines: what decides something is beside it, where it is tested', () => {
  const files = globSync('src/main/electron/**/*.ts', { cwd: at() }).filter(
    (file) => !/\.test\.ts$|stand-in/.test(file),
  )
  expect(files.length).toBeGreaterThan(15)
  const lines = files.flatMap((file) => readFileSync(at(file), 'utf8').trimEnd().split('\n'))
  expect(lines.length).toBeLessThan(1400)
})
