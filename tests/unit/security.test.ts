import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const rows = [
  ...readFileSync(path.join(root, 'SECURITY.md'), 'utf8').matchAll(/`([\w./-]+\.ts)`: "(.+?)" +\|/g),
].map(([, file = '', name = '']) => [name, file] as const)

test('the threat model names a test for each line', () => {
  expect(rows.length).toBeGreaterThan(30)
})

test.each(rows)('the threat model names a test that is there: %s', (name, file) => {
  expect(readFileSync(path.join(root, file), 'utf8').replaceAll(String.raw`\'`, "'")).toContain(name)
})
