import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../service.fixture.ts'
import { SleepMarks } from './sleep-mark.ts'

test('who sleeps is known to the next service, whatever its id, until it wakes', async () => {
  const folder = await temporaryFolder()
  const marks = new SleepMarks(folder)
  marks.set('a/../b')
  marks.set('one')
  marks.set('one')
  marks.clear('one')
  marks.clear('never slept')
  const next = new SleepMarks(folder)
  expect([next.has('a/../b'), next.has('one')]).toEqual([true, false])
  expect(readdirSync(path.join(folder, 'sleeping'))).toEqual(['a%2F..%2Fb'])
})

test('a folder that is damaged, or full, costs nothing but the memory of it', async () => {
  const folder = await temporaryFolder()
  writeFileSync(path.join(folder, 'sleeping'), 'no folder')
  const marks = new SleepMarks(folder)
  marks.set('one')
  expect(marks.has('one')).toBe(true)
  marks.clear('one')
  expect(new SleepMarks(folder).has('one')).toBe(false)
  const other = path.join(folder, 'other')
  mkdirSync(path.join(other, 'sleeping', 'one'), { recursive: true })
  const odd = new SleepMarks(other)
  odd.clear('one')
  expect(odd.has('one')).toBe(false)
})
