import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestFiles } from '../files.fixture.ts'
import { heldClock } from '../../service.fixture.ts'
import { createHasher } from './hasher.ts'
import { writeRecord } from './record.ts'
import { UploadStore, EXPIRES_MS } from './upload-store.ts'

test('what has no record goes; what has one that cannot be read now stays', async () => {
  const { files } = await openTestFiles()
  const hasher = createHasher()
  onTestFinished(() => hasher.close())
  const [unreadable, none] = ['a'.repeat(22), 'b'.repeat(22)]
  await mkdir(path.join(files.uploads, `${unreadable}.json`), { recursive: true })
  for (const id of [unreadable, none]) await writeFile(path.join(files.uploads, `${id}.part`), 'bytes')
  await new UploadStore(hasher, heldClock()).sweep(files, () => false)
  expect((await readdir(files.uploads)).sort()).toEqual([`${unreadable}.json`, `${unreadable}.part`])
})

test('what is stamped later than anything that was seen, as after a restore, begins to age', async () => {
  const { files } = await openTestFiles()
  const hasher = createHasher()
  onTestFinished(() => hasher.close())
  const clock = heldClock(Date.now())
  const store = new UploadStore(hasher, clock)
  const id = 'c'.repeat(22)
  const record = {
    ...{ id, accountId: 'a', path: 'a.txt', size: 9, modifiedAt: null, conflict: 'replace' as const },
    ...{ metadata: {}, createdAt: clock.now(), state: { kind: 'open' as const } },
  }
  await store.create(files, record)
  await writeRecord(files.uploads, { ...record, seenAt: 1000 * EXPIRES_MS })
  await store.sweep(files, () => false)
  expect(await readdir(files.uploads)).toHaveLength(2)
  clock.forward(EXPIRES_MS + 60_000)
  await store.sweep(files, () => false)
  expect(await readdir(files.uploads)).toEqual([])
})
