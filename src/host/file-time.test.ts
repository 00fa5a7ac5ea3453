import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fileTime } from './file-time.ts'

it('gives a file the very millisecond, before 1970 too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'file-time-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const times = Array.from({ length: 1000 }, (_, at) => 1_600_000_000_000 + at * 999_331)
  for (const time of [...times, 0, 1, 1500, 4_102_444_800_123, -1000, -1_000_000_000]) {
    utimesSync(file, fileTime(time), fileTime(time))
    expect(Math.trunc(statSync(file).mtimeMs)).toBe(time)
  }
})
