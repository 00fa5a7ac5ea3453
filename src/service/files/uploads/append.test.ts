import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { append } from './upload-store.ts'

test('writes what comes behind what is there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'append-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const part = join(folder, 'part')
  await writeFile(part, 'begun')
  const chunks = Array.from({ length: 200 }, (_, at) => Buffer.alloc(64 * 1024, at))
  const expected = Buffer.concat([Buffer.from('begun'), ...chunks])
  let reserved = 0
  await append(
    Readable.from(chunks),
    part,
    5,
    { advance: () => {} },
    { wrote: (bytes) => void (reserved += bytes) },
  )
  expect((await readFile(part)).equals(expected)).toBe(true)
  expect(reserved).toBe(expected.length - 5)
})
