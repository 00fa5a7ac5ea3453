import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { lockFolder } from './folder-lock.ts'
import { prepareFolder } from './data-folder.ts'
import { StartProblem } from './start-problem.ts'
import { temporary } from './temporary.fixture.ts'

const database = (file: string) => {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (b)')
  db.close()
}

describe('the lock of a folder', () => {
  it.each<[string, (file: string) => void]>([
    ['garbage', (file) => writeFileSync(file, 'no lock at all '.repeat(1000))],
    ['half a header', (file) => writeFileSync(file, 'SQLite format 3\0'.repeat(3))],
    ['another database', database],
  ])('is taken although its file holds %s, and by one alone', async (_what, put) => {
    const folder = temporary()
    put(join(folder, 'panel.lock'))
    const lock = await lockFolder(folder, 'panel')
    await expect(lockFolder(folder, 'panel')).rejects.toMatchObject({ code: 'folder-held' })
    await lock.release()
    await (await lockFolder(folder, 'panel')).release()
  })

  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => mkdirSync(file)],
    ['a FIFO', (file) => void execFileSync('mkfifo', [file])],
    ['a link to itself', (file) => symlinkSync(file, file)],
  ])(
    'is told with its name where %s stands in its place',
    async (_what, put) => {
      const folder = temporary()
      put(join(folder, 'service.lock'))
      const failed = lockFolder(folder, 'service')
      await expect(failed).rejects.toThrow(StartProblem)
      await expect(failed).rejects.toThrow(/service\.lock cannot be used: .*delete it/)
    },
    20_000,
  )

  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => (mkdirSync(file), writeFileSync(join(file, 'a'), ''))],
    ['a FIFO', (file) => void execFileSync('mkfifo', [file])],
    ['garbage', (file) => writeFileSync(file, '{"pid":')],
  ])(
    'says who holds it although its note was %s',
    async (_what, put) => {
      const folder = temporary()
      put(join(folder, 'panel.holder.json'))
      const lock = await lockFolder(folder, 'panel')
      await expect(lockFolder(folder, 'panel')).rejects.toThrow(`process ${process.pid}`)
      lock.ending()
      await lock.release()
      expect(existsSync(join(folder, 'panel.holder.json'))).toBe(false)
    },
    20_000,
  )
})

it.each<[string, (at: string) => void]>([
  ['a file', (at) => writeFileSync(at, '')],
  ['a link to itself', (at) => symlinkSync(at, at)],
  ['a FIFO', (at) => void execFileSync('mkfifo', [at])],
])('a folder of ours that is %s is told with its name, and left as it is', (_what, put) => {
  const folder = temporary()
  put(join(folder, 'servers'))
  expect(() => prepareFolder(folder, 'service.db', ['servers'])).toThrow(
    /The folder .*servers cannot be used: it is not a folder\. Nothing was changed\. Move it elsewhere/,
  )
  expect(readdirSync(folder)).toEqual(['servers'])
})

it('a folder of ours that is a link to a disk that is not connected is told as that, and left as it is', () => {
  const folder = temporary()
  symlinkSync(join(folder, 'disk', 'servers'), join(folder, 'servers'))
  expect(() => prepareFolder(folder, 'service.db', ['servers'])).toThrow(
    /The folder .*servers is a link to something that is not there, .* Connect the disk or remove the link/,
  )
  expect(readdirSync(folder)).toEqual(['servers'])
})
