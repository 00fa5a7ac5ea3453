import { mkdir, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { ZipFile } from 'yazl'
import { copyItem } from './item-actions.ts'
import { pino } from 'pino'
import { heldClock } from '../service.fixture.ts'
import { extractArchive } from './archives/extract.ts'
import { openTestFiles } from './files.fixture.ts'
import type { JobProgress } from './jobs.ts'
import type { ServerFiles } from './server-files.ts'
import { Trash } from './trash.ts'

// What a power failure leaves cannot be seen without one: what is asked of the disk can, and when.

/** Keeps of everything that is brought to the disk what it is and whether a file had its name by then. */
async function watchDisk(root: string, name: string) {
  const handle = await open(root, 'r')
  const kind = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const synced: { ino: number; isFolder: boolean; named: boolean }[] = []
  const { sync } = kind
  const spy = vi.spyOn(kind, 'sync').mockImplementation(async function (this: typeof handle) {
    const { ino, isDirectory } = await this.stat().then((stat) => ({
      ino: stat.ino,
      isDirectory: stat.isDirectory(),
    }))
    const named = (await readdir(root, { recursive: true })).includes(name)
    synced.push({ ino, isFolder: isDirectory, named })
    return sync.call(this)
  })
  return { synced, [Symbol.dispose]: () => spy.mockRestore() }
}

const progress = (): JobProgress => ({
  signal: new AbortController().signal,
  total() {},
  add() {},
  leaveOut() {},
  namesRead() {},
  finish() {},
})

async function put(files: ServerFiles, content: string, name: string) {
  const temp = files.newTemp()
  await writeFile(temp, content)
  return files.commit(temp, name)
}

test('a placed file is on the disk before it has its name, and its name after that', async () => {
  const { files, root } = await openTestFiles()
  await mkdir(path.join(root, 'a'))
  using disk = await watchDisk(root, 'a/b')
  await put(files, 'content', 'a/b')
  expect(disk.synced).toMatchObject([
    { isFolder: false, named: false },
    { isFolder: true, named: true },
  ])
})

test('what is unpacked is on the disk before the first of it has its name, and the names after that', async () => {
  const { files, root } = await openTestFiles()
  const zip = new ZipFile()
  for (const name of ['a/one', 'a/two', 'three']) zip.addBuffer(Buffer.from(name), name)
  zip.addBuffer(Buffer.alloc(1024 * 1024), 'large')
  zip.end()
  await writeFile(path.join(root, 'in.zip'), await buffer(zip.outputStream))
  using disk = await watchDisk(root, 'to/a/one')
  await extractArchive(files, { path: 'in.zip', to: 'to', conflict: 'refuse' }, progress())
  const found = disk.synced.filter(({ isFolder }) => !isFolder)
  expect(new Set(found.map(({ ino }) => ino)).size).toBe(4)
  expect(found.every(({ named }) => !named)).toBe(true)
  expect(disk.synced.filter(({ isFolder, named }) => isFolder && named).length).toBeGreaterThanOrEqual(2)
})

test('a copy is on the disk before it has its name', async () => {
  const { files, root } = await openTestFiles()
  await mkdir(path.join(root, 'world'))
  for (const name of ['a', 'b']) await writeFile(path.join(root, 'world', name), name)
  using disk = await watchDisk(root, 'copy/a')
  const desk = {
    files,
    trash: new Trash(files, heldClock()),
    log: pino({ enabled: false }),
    checkAgain: () => {},
  }
  await copyItem(desk, 'world', 'copy', 'refuse', new AbortController().signal)
  const found = disk.synced.filter(({ isFolder }) => !isFolder)
  expect(found.length).toBe(2)
  expect(found.every(({ named }) => !named)).toBe(true)
})
