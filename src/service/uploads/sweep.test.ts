import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestFiles } from '../files/files.fixture.ts'
import { heldClock } from '../service.fixture.ts'
import { createHasher } from './hasher.ts'
import { createUploadStore } from './upload-store.ts'

test('what has no record goes; what has one that cannot be read now stays', async () => {
  const { files } = await openTestFiles()
  const hasher = createHasher()
  onTestFinished(() => hasher.close())
  const [unreadable, none] = ['a'.repeat(22), 'b'.repeat(22)]
  await mkdir(path.join(files.uploads, `${unreadable}.json`), { recursive: true })
  for (const id of [unreadable, none]) await writeFile(path.join(files.uploads, `${id}.part`), 'bytes')
  await createUploadStore(hasher, heldClock()).sweep(files, () => false)
  expect((await readdir(files.uploads)).sort()).toEqual([`${unreadable}.json`, `${unreadable}.part`])
})
