import { open, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { type ServerHashes, KeptHashes, lookInto } from './kept-hashes.ts'

const { signal } = new AbortController()

async function look(file: string, kept: ServerHashes | null) {
  await using handle = await open(file)
  const reads: number[] = []
  const read = handle.read.bind(handle)
  handle.read = (...given: Parameters<typeof read>) => (reads.push(1), read(...given))
  const there = await lookInto(handle, 'mods/a.jar', kept, signal)
  return { there, isRead: reads.length > 0 }
}

it('a file is read once, as long as nobody writes to it or puts another one in its place', async () => {
  const file = path.join(await temporaryFolder(), 'a.jar')
  const kept = new KeptHashes()
  await writeFile(file, 'one')
  const first = await look(file, kept.of('a'))
  expect(first.isRead).toBe(true)
  expect(await look(file, kept.of('a'))).toEqual({ there: first.there, isRead: false })
  // Of another server it is another file.
  expect(await look(file, kept.of('b'))).toEqual({ there: first.there, isRead: true })
  await writeFile(file, 'three')
  const second = await look(file, kept.of('a'))
  expect(second.isRead).toBe(true)
  expect(second.there.sha512).not.toBe(first.there.sha512)
  await writeFile(`${file}.new`, 'one')
  await rename(`${file}.new`, file)
  expect(await look(file, kept.of('a'))).toEqual({ there: first.there, isRead: true })
})

it('where nothing is to be kept it is read each time', async () => {
  const file = path.join(await temporaryFolder(), 'a.jar')
  await writeFile(file, 'one')
  const first = await look(file, null)
  expect(await look(file, null)).toEqual(first)
  expect(first).toMatchObject({ isRead: true, there: { size: 3 } })
})
