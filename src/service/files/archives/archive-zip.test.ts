import { spawnSync } from 'node:child_process'
import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openPromise, type Entry } from 'yauzl'
import { temporaryFolder } from '../../service.fixture.ts'
import type { ArchiveItem } from './archive-entries.ts'
import { ZipRecords } from './archive-zip-records.ts'
import { zipOf } from './archive-zip.ts'
import type { JobProgress } from '../jobs.ts'

const progress: JobProgress = {
  signal: new AbortController().signal,
  total() {},
  add() {},
  leaveOut() {},
  namesRead() {},
  finish() {},
}
const modifiedAt = new Date(2024, 1, 29, 12, 30, 7)

const fileOf = (name: string, data: Buffer): ArchiveItem => ({
  kind: 'file',
  path: name,
  modifiedAt,
  mode: 0o644,
  data,
})

async function entriesIn(at: string): Promise<Entry[]> {
  const zip = await openPromise(at, { lazyEntries: true })
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}

/** Another program's judgment, where it is there. */
function expectReadable(at: string, program: string, ...options: string[]): void {
  const tested = spawnSync(program, [...options, at])
  if (!tested.error) expect([tested.status, tested.stderr.toString()]).toEqual([0, ''])
}

test('more files than 16 bits count are all in the list, and what is given on is not held', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const count = 70_000
  const given: WeakRef<Buffer>[] = []
  let held = 0
  const entries = async function* () {
    for (let i = 0; i < count; i++) {
      const data = Buffer.from(`{"i":${i}}`.repeat(i % 5))
      given.push(new WeakRef(data))
      yield fileOf(`many/${i}.png`, data)
      if (i !== count - 1) continue
      await setImmediate()
      collect()
      held = given.filter((one) => one.deref()).length
    }
  }
  const chunks: Buffer[] = []
  for await (const chunk of zipOf(entries(), (name) => name, progress)) chunks.push(chunk)
  const at = path.join(await temporaryFolder(), 'many.zip')
  await writeFile(at, Buffer.concat(chunks))
  const listed = await entriesIn(at)
  expect(listed.map((entry) => entry.fileName)).toEqual(given.map((_, i) => `many/${i}.png`))
  expect(listed.at(-1)?.getLastModDate()).toEqual(modifiedAt)
  expectReadable(at, 'unzip', '-tqq')
  // Those of the last bytes that were gathered.
  expect(held).toBeLessThan(count / 10)
})

test('of a file that grows or shrinks while it is packed the archive is whole all the same', async () => {
  const folder = await temporaryFolder()
  const [from, at] = [path.join(folder, 'latest.log'), path.join(folder, 'a.zip')]
  await writeFile(from, Buffer.alloc(400_000, 'line\n'))
  const entries = async function* (): AsyncGenerator<ArchiveItem> {
    for (const size of [300_000, 500_000])
      yield { kind: 'large', path: `${size}.log`, modifiedAt, mode: 0o644, handle: await open(from), size }
  }
  const chunks: Buffer[] = []
  for await (const chunk of zipOf(entries(), (name) => name, progress)) chunks.push(chunk)
  await writeFile(at, Buffer.concat(chunks))
  expect((await entriesIn(at)).map((entry) => entry.uncompressedSize)).toEqual([300_000, 400_000])
  expectReadable(at, 'unzip', '-tqq')
})

test('a file of more than 32 bits count, and what lies behind it, are found', async () => {
  const at = path.join(await temporaryFolder(), 'large.zip')
  const handle = await open(at, 'w')
  const size = 5_000_000_000
  const records = new ZipRecords()
  let position = 0
  const write = async (bytes: Buffer) =>
    void (position += (await handle.write(bytes, 0, null, position)).bytesWritten)
  const large = { name: 'large.mca', modifiedAt, mode: 0o100600, deflated: false, sums: null, expected: size }
  const first = records.begin(large)
  await write(first.header)
  // A hole, which takes no room.
  position += size
  records.wrote(size)
  const sums = { crc: 7, size, packedSize: size }
  await write(records.after(large, sums))
  first.listed(sums)
  const none = { crc: 0, size: 0, packedSize: 0 }
  const behind = { name: 'behind/', modifiedAt, mode: 0o040700, deflated: false, sums: none, expected: 0 }
  const offset = position
  const second = records.begin(behind)
  await write(second.header)
  second.listed(none)
  for (const bytes of records.end()) await write(bytes)
  await handle.close()

  expect(await entriesIn(at)).toMatchObject([
    { fileName: 'large.mca', uncompressedSize: size, compressedSize: size, relativeOffsetOfLocalHeader: 0 },
    { fileName: 'behind/', uncompressedSize: 0, relativeOffsetOfLocalHeader: offset },
  ])
  expectReadable(at, 'zipinfo')
})
