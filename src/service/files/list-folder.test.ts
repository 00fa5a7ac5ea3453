import { readdirSync, readlinkSync } from 'node:fs'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestFiles } from './files.fixture.ts'
import { answerFolder, listFolder } from './list-folder.ts'

/** Makes `many/NNN` with as many bytes as its number says. */
async function makeMany(root: string, count: number): Promise<string[]> {
  await mkdir(path.join(root, 'many'))
  const names = Array.from({ length: count }, (_, at) => String(at).padStart(4, '0'))
  const write = (name: string) => writeFile(path.join(root, 'many', name), 'x'.repeat(Number(name)))
  for (let at = 0; at < count; at += 100) await Promise.all(names.slice(at, at + 100).map(write))
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

test('a large folder is answered in pieces that are the same page', async () => {
  const { files, root } = await openTestFiles()
  await makeMany(root, 2500)
  for (const query of [{ limit: 5000 }, { limit: 2400 }, { limit: 1001, cursor: cursorAfter('0100') }]) {
    const answer = await answerFolder(files, 'many', query)
    if (!(answer instanceof Response)) throw new Error('it is answered at once')
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual(await listFolder(files, 'many', query))
  }
})

test('a folder of few entries is answered at once', async () => {
  const { files, root } = await openTestFiles()
  await makeMany(root, 1000)
  await mkdir(path.join(root, 'empty'))
  expect(await answerFolder(files, 'many', { limit: 5000 })).toEqual(
    await listFolder(files, 'many', { limit: 5000 }),
  )
  expect(await answerFolder(files, 'empty', {})).toEqual({ items: [], nextCursor: null })
})

test('where entries go while a folder is answered, the rest is still told', async () => {
  const { files, root } = await openTestFiles()
  const names = await makeMany(root, 2500)
  const answer = await answerFolder(files, 'many', { limit: 5000 })
  if (!(answer instanceof Response)) throw new Error('it is answered at once')
  const reader = answer.body!.getReader()
  let text = Buffer.from((await reader.read()).value!).toString()
  // Every other one: what goes is any part of the rest, in whatever order it goes.
  const goes = names.filter((_, at) => at >= 1000 && at % 2 === 0)
  for (const name of goes) await rm(path.join(root, 'many', name))
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += Buffer.from(next.value).toString()
  const { items } = JSON.parse(text) as { items: { name: string }[] }
  const told = items.map(({ name }) => name)
  // Some of those that went may have been looked at before.
  const known = new Set(told)
  expect(told).toEqual(names.filter((name) => known.has(name)))
  expect(names.filter((name) => !known.has(name) && !goes.includes(name))).toEqual([])
})

test('a folder is let go of when its answer was read, and when nobody reads on', async (context) => {
  if (process.platform !== 'linux') context.skip()
  const { files, root } = await openTestFiles()
  await makeMany(root, 2500)
  const held = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path.join(root, 'many'))
      } catch {
        // The handle of the reading itself.
        return false
      }
    })
  const ask = async () => {
    const answer = await answerFolder(files, 'many', { limit: 5000 })
    if (!(answer instanceof Response)) throw new Error('it is answered at once')
    return answer
  }
  const read = await ask()
  expect(held()).toHaveLength(1)
  await read.text()
  expect(held()).toEqual([])
  const left = await ask()
  expect(held()).toHaveLength(1)
  await left.body?.cancel()
  expect(held()).toEqual([])
})

const cursorAfter = (name: string): string => Buffer.from(`n${name}`).toString('base64url')
