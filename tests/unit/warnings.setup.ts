// Before each file of unit tests: a warning of its process, or of a program that it starts, fails it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { warningsIn, warningsTo } from '../fixtures/warnings.ts'

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-warnings-'))
const file = join(folder, 'warnings')
Object.assign(process.env, warningsTo(file))

const own: string[] = []
const note = (warning: Error) => {
  if (warning.name !== 'ExperimentalWarning') own.push(warning.stack ?? String(warning))
}
process.on('warning', note)

afterAll(async () => {
  // One that was just given is told behind what gave it.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  const others = warningsIn(file)
  rmSync(folder, { recursive: true, force: true })
  expect([...own, ...others], 'warnings of processes').toEqual([])
})
