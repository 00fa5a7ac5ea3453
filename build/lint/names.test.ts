import { Linter } from 'eslint'
import ts from 'typescript-eslint'
import { expect, test } from 'vitest'
import { namesConfig } from './names.js'

const verify = (text: string): string[] => {
  const linter = new Linter({ cwd: '/project' })
  const config = [{ ...namesConfig, files: ['**/*.ts'], languageOptions: { parser: ts.parser } }]
  return linter.verify(text, config as never, { filename: '/project/src/a.ts' }).map(({ message }) => message)
}

test.each(['type Told = string', 'interface JarMoved {}', 'class Kept {}', 'export type Beside = string'])(
  'a type that is no noun is found: %s',
  (text) => {
    expect(verify(text)).toHaveLength(1)
  },
)

test.each([
  'type KnownJar = string',
  'interface ReadSpeed {}',
  'class SentLines {}',
  'const Told = 1',
  'type UTF8 = 1',
])('a noun may stay: %s', (text) => {
  expect(verify(text)).toEqual([])
})
