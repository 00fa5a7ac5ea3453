import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../../host/temporary.fixture.ts'
import { DiskCache } from './disk-cache.ts'

const answer = (text: string) => ({ text, etag: null, at: 1 })

test('the oldest answers go where there are too many, and so does what a killed process left', async () => {
  const folder = temporary()
  const before = new DiskCache(folder)
  for (const name of ['a', 'b', 'c', 'd']) {
    const known = new Set(readdirSync(folder))
    await before.write(name, answer(name))
    const file = readdirSync(folder).find((one) => !known.has(one))!
    utimesSync(path.join(folder, file), name.charCodeAt(0), name.charCodeAt(0))
  }
  const left = path.join(folder, 'e.new')
  writeFileSync(left, 'half')
  utimesSync(left, 1, 1)
  const written = path.join(folder, 'h.new')
  writeFileSync(written, 'by somebody else, now')
  writeFileSync(path.join(folder, 'notes.txt'), 'mine')

  const after = new DiskCache(folder, { files: 2, bytes: 1_000_000 })
  await after.write('f', answer('f'))
  expect(await Promise.all(['a', 'b', 'c', 'd', 'f'].map((url) => after.read(url, 100)))).toEqual([
    null,
    null,
    answer('c'),
    answer('d'),
    answer('f'),
  ])
  expect([existsSync(left), existsSync(written)]).toEqual([false, true])
  expect(existsSync(path.join(folder, 'notes.txt'))).toBe(true)

  await new DiskCache(folder, { files: 100, bytes: 0 }).write('g', answer('g'))
  expect(readdirSync(folder).filter((name) => name.endsWith('.answer'))).toHaveLength(1)
})

test('what is larger than it may be counts as nothing', async () => {
  const cache = new DiskCache(temporary())
  await cache.write('a', answer('x'.repeat(10_000)))
  expect(await cache.read('a', 5000)).toBeNull()
  expect(await cache.read('a', 10_000)).toEqual(answer('x'.repeat(10_000)))
})
