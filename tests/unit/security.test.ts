import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { whyNotRun } from './running-tests.ts'
import { threatModel } from './threat-model.ts'

const root = path.join(import.meta.dirname, '../..')
const rows = Object.values(threatModel)
  .flat()
  .map(({ claim, file, test }) => [test, file, claim] as const)

test('SECURITY.md names every group of the threat model, and where it is', () => {
  const page = readFileSync(path.join(root, 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ')
  expect(page).toContain('tests/unit/threat-model.ts')
  for (const [group, protections] of Object.entries(threatModel)) {
    expect(page).toContain(group)
    expect(protections.length, group).toBeGreaterThan(0)
  }
})

test('the threat model states its claims as sentences', () => {
  expect(rows.length).toBeGreaterThan(50)
  for (const [, , claim] of rows) expect(claim).toMatch(/^[A-Z].+\.$/)
})

test.each(rows)('the threat model names a test that is run here: %s', (name, file) => {
  expect(whyNotRun(file, readFileSync(path.join(root, file), 'utf8'), name)).toBeNull()
})

const here = `process.platform === '${process.platform}'`
const elsewhere = "process.platform === 'aix'"

test.each([
  ["test('holds', () => {})"],
  ["describe('a line', () => { it('holds', () => {}) })"],
  ["describe.each([1, 2])('line %i', () => { test('holds', () => {}) })"],
  ["for (const one of [1, 2]) test.each([one])('holds', () => {})"],
  [`test.skipIf(${elsewhere})('holds', () => {})`],
  [`describe.runIf(${here})('a line', () => { test('holds', () => {}) })`],
  ["test('another', ({ skip }) => skip())\ntest('holds', () => {})"],
])('a test that is run is found: %s', (text) => {
  expect(whyNotRun('src/a.test.ts', text, 'holds')).toBeNull()
})

test.each([
  ["test.skip('holds', () => {})"],
  ["test.todo('holds')"],
  ["it.fails('holds', () => {})"],
  ["describe.skip('a line', () => { describe('it', () => { test('holds', () => {}) }) })"],
  [`test.skipIf(${here})('holds', () => {})`],
  [`describe.runIf(${elsewhere})('a line', () => { test('holds', () => {}) })`],
  ["test.skipIf(unknown())('holds', () => {})"],
  ["test('holds', { skip: true }, () => {})"],
  ["test('holds', ({ skip }) => skip())"],
  ["test('holds', async (context) => { if (!ready) context.skip() })"],
  ["test('holds', () => { test.skip(true, 'later') })"],
  ["if (ready) test('holds', () => {})"],
  ["ready && test('holds', () => {})"],
  ["function never() { test('holds', () => {}) }"],
  ["test.only('another', () => {})\ntest('holds', () => {})"],
  ["// test('holds', () => {})"],
  ["const name = 'holds'"],
  ["call('holds', () => {})"],
  ["test('it holds', () => {})"],
])('a test that is named and does not run is found out: %s', (text) => {
  expect(whyNotRun('src/a.test.ts', text, 'holds')).not.toBeNull()
})

test('a test in a file that no runner collects is found out', () => {
  for (const file of ['src/a.fixture.ts', 'src/a.spec.ts', 'tests/faults/a.ts', 'docs/a.test.ts'])
    expect(whyNotRun(file, "test('holds', () => {})", 'holds')).toContain('no runner')
})
