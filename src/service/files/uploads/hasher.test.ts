import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHasher } from './hasher.ts'

test('ends its thread when no file is on its way, and hashes the next one as before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hasher-'))
  const hasher = createHasher()
  onTestFinished(async () => {
    await hasher.close()
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'part')
  await writeFile(file, 'some bytes')
  const expected = createHash('sha256').update('some bytes').digest('hex')
  hasher.advance(file, 4)
  hasher.rest()
  expect(hasher.running).toBe(true)
  expect(await hasher.digest(file, 10)).toBe(expected)
  hasher.forget(file)
  for (let round = 0; round < 3; round++) {
    hasher.rest()
    expect(hasher.running).toBe(false)
    // The end of the thread before comes while this one is at work.
    expect(await hasher.digest(file, 10)).toBe(expected)
    hasher.forget(file)
  }
})
