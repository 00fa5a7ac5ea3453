import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { manyFields, zerosBehind, zipOf } from '../../../../tests/faults/greedy/bombs.ts'
import { packArchive } from './archive.ts'
import { extractArchive } from './extract.ts'
import { openTestFiles } from '../files.fixture.ts'
import type { JobProgress } from '../jobs.ts'

const progress: JobProgress = {
  signal: new AbortController().signal,
  total() {},
  add() {},
  leaveOut() {},
  namesRead() {},
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

/** Most memory, in bytes, that comes to it while something is done. */
async function memoryOf(act: () => Promise<unknown>): Promise<number> {
  const held = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = held()
  let most = before
  const looking = setInterval(() => (most = Math.max(most, held())), 5)
  await act().finally(() => clearInterval(looking))
  return most - before
}

const MB = 1024 * 1024
const extracted = (files: Awaited<ReturnType<typeof openTestFiles>>['files'], name: string) =>
  extractArchive(files, { path: name, to: '', conflict: 'keep-both' }, progress)

test('a zip whose list is larger than the archives people make is refused, and is never held', async () => {
  const { files, root } = await openTestFiles()
  await zipOf(
    path.join(root, 'comments.zip'),
    Array.from({ length: 2200 }, (_, at) => `f${at}`),
    65_000,
  )
  const memory = await memoryOf(async () => {
    await expect(extracted(files, 'comments.zip')).rejects.toMatchObject({ code: 'files.archive-bomb' })
  })
  expect(memory).toBeLessThan(64 * MB)
})

test('a name that is all slashes is refused at once', async () => {
  const { files, root } = await openTestFiles()
  await zipOf(path.join(root, 'slashes.zip'), [`${'/'.repeat(60_000)}x`], 0)
  await expect(extracted(files, 'slashes.zip')).rejects.toMatchObject({ code: 'files.name-invalid' })
})

test('names that are long one by one are too long together', async () => {
  const { files, root } = await openTestFiles()
  const long = `${'n'.repeat(200)}/`.repeat(19)
  // Folders: they are counted as files are, and none is made before all names were read.
  const names = Array.from({ length: 9000 }, (_, at) => `${long}${at}/`)
  await zipOf(path.join(root, 'long.zip'), names, 0)
  await expect(extracted(files, 'long.zip')).rejects.toMatchObject({ code: 'files.archive-too-many' })
})

test('a tar with no end of zeros behind its end is refused', async () => {
  const { files, root } = await openTestFiles()
  await zerosBehind(path.join(root, 'zeros.tar.gz'), 64 * MB)
  await expect(extracted(files, 'zeros.tar.gz')).rejects.toMatchObject({ code: 'files.archive-bomb' })
})

test('a tar that gives a field to everything a million times is refused, and is never held', async () => {
  const { files, root } = await openTestFiles()
  await manyFields(path.join(root, 'fields.tar.gz'), 10)
  const memory = await memoryOf(async () => {
    await expect(extracted(files, 'fields.tar.gz')).rejects.toMatchObject({ code: 'files.archive-bomb' })
  })
  expect(memory).toBeLessThan(64 * MB)
})
