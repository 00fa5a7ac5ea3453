import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { packArchive } from './archive.ts'
import { extractArchive } from './extract.ts'
import { openTestFiles } from './files.fixture.ts'
import type { JobProgress } from './jobs.ts'

const progress: JobProgress = {
  signal: new AbortController().signal,
  total() {},
  add() {},
  leaveOut() {},
  finish() {},
}

/** A zip that says it holds so many entries, in the form for many, and holds none. */
function zipSaying(entries: number): Buffer {
  const start = Buffer.from([0x50, 0x4b, 3, 4])
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(BigInt(entries), 24)
  end64.writeBigUInt64LE(BigInt(entries), 32)
  end64.writeBigUInt64LE(BigInt(start.length), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start.length), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  for (const at of [8, 10]) end.writeUInt16LE(0xffff, at)
  for (const at of [12, 16]) end.writeUInt32LE(0xffffffff, at)
  return Buffer.concat([start, end64, locator, end])
}

test('a zip that says it holds more than is taken is refused before its list is read into memory', async () => {
  const { files, root } = await openTestFiles()
  await writeFile(path.join(root, 'many.zip'), zipSaying(2_000_000_000))
  await expect(
    extractArchive(files, { path: 'many.zip', to: '', conflict: 'refuse' }, progress),
  ).rejects.toMatchObject({ code: 'files.archive-too-many' })
  expect(readdirSync(files.staging)).toEqual([])
})

test('a file of an archive that is larger than is taken ends the job, and nothing else', async () => {
  const { files, root } = await openTestFiles({ maxFileBytes: 1_000_000 })
  const zip = new ZipFile()
  zip.addBuffer(randomBytes(3_000_000), 'large.mca')
  zip.end()
  const bytes = await buffer(zip.outputStream)
  await writeFile(path.join(root, 'a.zip'), bytes)
  for (let times = 0; times < 5; times++)
    await expect(
      extractArchive(files, { path: 'a.zip', to: 'to', conflict: 'refuse' }, progress),
    ).rejects.toMatchObject({ code: 'files.too-large' })
  expect(readdirSync(files.staging)).toEqual([])
  expect(readdirSync(root)).toEqual(['a.zip'])
})

test.skipIf(process.platform !== 'linux').for(['zip', 'tar.gz'] as const)(
  'where a %s does not fit that is said, and no file stays open or behind',
  async (format) => {
    const { files, root } = await openTestFiles({ quotaBytes: 9_000_000 })
    await mkdir(path.join(root, 'world'))
    for (let i = 0; i < 8; i++) {
      await writeFile(path.join(root, 'world', `${i}-large`), randomBytes(800_000))
      await writeFile(path.join(root, 'world', `${i}-small`), randomBytes(50_000))
    }
    const open = () => readdirSync('/proc/self/fd').length
    const before = open()
    for (let times = 0; times < 5; times++)
      await expect(
        packArchive(files, { paths: ['world'], to: `a.${format}`, format, conflict: 'refuse' }, progress),
      ).rejects.toMatchObject({ code: 'files.quota' })
    await expect.poll(open).toBeLessThanOrEqual(before)
    expect(readdirSync(files.staging)).toEqual([])
  },
)
