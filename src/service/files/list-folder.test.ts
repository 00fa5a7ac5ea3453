import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestFiles } from './files.fixture.ts'
import { listFolder } from './list-folder.ts'

/** Makes `many/NNN` with as many bytes as its number says. */
async function makeMany(root: string, count: number): Promise<string[]> {
  await mkdir(path.join(root, 'many'))
  const names = Array.from({ length: count }, (_, at) => String(at).padStart(4, '0'))
  for (const [at, name] of names.entries()) await writeFile(path.join(root, 'many', name), 'x'.repeat(at))
  return names
}

test('a folder of many entries tells each of them, and leaves the working folder as it was', async () => {
  const { files, root } = await openTestFiles()
  const names = await makeMany(root, 450)
  const before = process.cwd()
  const { items, nextCursor } = await listFolder(files, 'many', { limit: 1000 })
  expect(items.map(({ name }) => name)).toEqual(names)
  expect(items.map(({ size }) => size)).toEqual(names.map(Number))
  expect(nextCursor).toBeNull()
  expect(process.cwd()).toBe(before)
})

test('a folder that is exchanged while it is listed is the one that is told to its end', async (context) => {
  // Elsewhere names cannot be reached from a handle: the exchange is noticed, and the list refused.
  if (process.platform !== 'linux') context.skip()
  const { files, root, outside } = await openTestFiles()
  const names = await makeMany(root, 450)
  for (const name of names) await writeFile(path.join(outside, name), 'not yours')
  const listing = listFolder(files, 'many', { limit: 1000 })
  await rename(path.join(root, 'many'), path.join(root, 'moved'))
  await symlink(outside, path.join(root, 'many'))
  expect((await listing).items.map(({ size }) => size)).toEqual(names.map(Number))
})

test('a folder is listed where the working folder is gone', async () => {
  const { files, root, outside } = await openTestFiles()
  await makeMany(root, 3)
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  const gone = path.join(outside, 'gone')
  await mkdir(gone)
  process.chdir(gone)
  await rm(gone, { recursive: true })
  expect((await listFolder(files, 'many', {})).items).toHaveLength(3)
})
