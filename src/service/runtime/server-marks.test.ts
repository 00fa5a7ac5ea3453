import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../service.fixture.ts'
import { ServerMarks } from './server-marks.ts'

test('what holds of a server is known to the next service, whatever its id, until it does not', async () => {
  const folder = await temporaryFolder()
  const marks = new ServerMarks(folder, 'sleeping')
  marks.set('a/../b')
  marks.set('one')
  marks.set('one')
  marks.clear('one')
  marks.clear('never')
  const next = new ServerMarks(folder, 'sleeping')
  expect([next.has('a/../b'), next.has('one')]).toEqual([true, false])
  expect(readdirSync(path.join(folder, 'sleeping'))).toEqual(['a%2F..%2Fb'])
})

test('a folder that is damaged, or full, costs nothing but the memory of it', async () => {
  const folder = await temporaryFolder()
  writeFileSync(path.join(folder, 'sleeping'), 'no folder')
  const marks = new ServerMarks(folder, 'sleeping')
  marks.set('one')
  expect(marks.has('one')).toBe(true)
  marks.clear('one')
  expect(new ServerMarks(folder, 'sleeping').has('one')).toBe(false)
  const other = path.join(folder, 'other')
  mkdirSync(path.join(other, 'sleeping', 'one'), { recursive: true })
  const odd = new ServerMarks(other, 'sleeping')
  odd.clear('one')
  expect(odd.has('one')).toBe(false)
})
