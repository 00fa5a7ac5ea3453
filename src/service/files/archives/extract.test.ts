import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { extractArchive } from './extract.ts'
import { openTestFiles } from '../files.fixture.ts'
import type { JobProgress } from '../jobs.ts'

const progress = (finish = () => {}): JobProgress => ({
  signal: new AbortController().signal,
  total() {},
  add() {},
  leaveOut() {},
  namesRead() {},
  finish,
})

async function zipOf(entries: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, data] of Object.entries(entries)) zip.addBuffer(Buffer.from(data), name)
  zip.end()
  return buffer(zip.outputStream)
}

test('others have their turn while the files of an archive are placed', async () => {
  const { files, root } = await openTestFiles()
  const names = Array.from({ length: 500 }, (_, i) => `${i}.txt`)
  const zip = await zipOf(Object.fromEntries(names.map((name) => [`all/${name}`, 'x'])))
  await writeFile(path.join(root, 'a.zip'), zip)
  // How many were there at each turn of somebody else's.
  const seen = [0]
  let over = false
  const look = () => {
    if (over) return
    seen.push(readdirSync(path.join(root, 'all')).length)
    setImmediate(look)
  }
  const finish = () => {
    mkdirSync(path.join(root, 'all'))
    setImmediate(look)
  }
  await extractArchive(files, { path: 'a.zip', to: '', conflict: 'refuse' }, progress(finish))
  over = true
  seen.push(readdirSync(path.join(root, 'all')).length)
  expect(seen.at(-1)).toBe(names.length)
  expect(Math.max(...seen.slice(1).map((count, i) => count - (seen[i] ?? 0)))).toBeLessThanOrEqual(128)
})

test('where one file cannot be placed all is as before: what is new goes, what was replaced is back', async () => {
  const { files, root } = await openTestFiles()
  const at = (name: string) => path.join(root, name)
  await mkdir(at('to'))
  await writeFile(at('to/mine.txt'), 'mine', { mode: 0o600 })
  await writeFile(at('to/other.txt'), 'mine too')
  const before = await stat(at('to/mine.txt'))
  const theirs = {
    'mine.txt': 'theirs',
    'other.txt': 'theirs',
    'new/new.txt': 'theirs',
    'taken.txt': 'theirs',
  }
  await writeFile(at('a.zip'), await zipOf(theirs))
  // After all was looked at, and before the first is placed.
  const finish = () => mkdirSync(at('to/taken.txt'))
  await expect(
    extractArchive(files, { path: 'a.zip', to: 'to', conflict: 'replace' }, progress(finish)),
  ).rejects.toMatchObject({ code: 'files.is-folder' })
  expect(readdirSync(at('to')).sort()).toEqual(['mine.txt', 'other.txt', 'taken.txt'])
  expect(await readFile(at('to/other.txt'), 'utf8')).toBe('mine too')
  // The very file, with the same time and mode, and no second name.
  const { ino, mtimeMs, mode, nlink } = await stat(at('to/mine.txt'))
  expect([ino, mtimeMs, mode, nlink]).toEqual([before.ino, before.mtimeMs, before.mode, 1])
  expect(readdirSync(files.staging)).toEqual([])
})

test('what somebody else put there meanwhile is not taken back', async () => {
  const { files, root } = await openTestFiles()
  const at = (name: string) => path.join(root, name)
  await writeFile(at('a.txt'), 'mine')
  const names = Array.from({ length: 300 }, (_, i) => `z${i}.txt`)
  const zip = await zipOf({ 'a.txt': 'theirs', ...Object.fromEntries(names.map((name) => [name, 'x'])) })
  await writeFile(at('a.zip'), zip)
  writeFileSync(at('saved'), 'saved')
  const saved = new Promise<void>((resolve) => {
    const wait = () => {
      if (!readdirSync(root).includes('z0.txt')) return setImmediate(wait)
      // As a server saves: a new file under the old name. And a folder where the last one is to be.
      mkdirSync(at('z299.txt'))
      resolve(rename(at('saved'), at('a.txt')))
    }
    setImmediate(wait)
  })
  await expect(
    extractArchive(files, { path: 'a.zip', to: '', conflict: 'replace' }, progress()),
  ).rejects.toMatchObject({ code: 'files.is-folder' })
  await saved
  expect(await readFile(at('a.txt'), 'utf8')).toBe('saved')
  expect(readdirSync(root).sort()).toEqual(['a.txt', 'a.zip', 'z299.txt'])
})
