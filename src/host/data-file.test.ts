import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lookAt, readDataFile, readDataJson, writeDataFile } from './data-file.ts'
import { ASIDE, clearTheWay, setAside } from './set-aside.ts'
import { temporary } from './temporary.fixture.ts'

/** What can stand in a file's place, and what is not a file among it. */
const places: [string, (file: string) => void][] = [
  ['a folder that is not empty', (file) => (mkdirSync(file), writeFileSync(join(file, 'a'), ''))],
  ['a FIFO', (file) => void execFileSync('mkfifo', [file])],
  ['a link to itself', (file) => symlinkSync(file, file)],
  ['a link to nowhere', (file) => symlinkSync(join(file, 'nowhere'), file)],
]
const pid = (value: unknown) => (value as { pid: number }).pid.toFixed(0)

describe('a small file of ours', () => {
  it.each(places)(
    'is never waited for where %s stands in its place, and can be written all the same',
    async (_what, put) => {
      const file = join(temporary(), 'holder.json')
      put(file)
      expect(lookAt(file)).toBe('something else')
      expect(await readDataJson(file, pid)).toBeNull()
      writeDataFile(file, '{"pid":7}')
      expect(await readDataJson(file, pid)).toBe('7')
      expect(statSync(file).mode & 0o777).toBe(0o600)
    },
    20_000,
  )

  it.each(['', 'garbage \0\u0007', '{"pid":', '{"pid":"x"}', 'null', 'x'.repeat(2_000_000)])(
    'counts as none where it holds %.20j',
    async (text) => {
      const file = join(temporary(), 'holder.json')
      writeFileSync(file, text)
      expect(await readDataJson(file, pid)).toBeNull()
    },
  )

  it('is none where there is none', async () => {
    expect(await readDataFile(join(temporary(), 'none'))).toBeNull()
  })

  it('is written over what a crash left half done, whatever that is', async () => {
    const file = join(temporary(), 'holder.json')
    execFileSync('mkfifo', [`${file}.new`])
    writeDataFile(file, 'now')
    expect(await readDataFile(file)).toBe('now')
  })
})

describe('what is set aside', () => {
  it.each(places)('is %s in the place of a log, which is free then', (_what, put) => {
    const dataDir = temporary()
    const file = join(dataDir, 'service.log')
    put(file)
    const aside = clearTheWay(dataDir, file)
    expect(lookAt(file)).toBe('nothing')
    expect(readdirSync(aside ?? '')).toEqual(['service.log'])
  })

  it('is no log that can be written to', () => {
    const file = join(temporary(), 'service.log')
    expect(clearTheWay(temporary(), file)).toBeNull()
    writeFileSync(file, 'lines')
    expect(clearTheWay(temporary(), file)).toBeNull()
    expect(readFileSync(file, 'utf8')).toBe('lines')
  })

  it('is kept three times of each name, the newest ones', () => {
    const dataDir = temporary()
    for (let at = 0; at < 5; at++)
      for (const name of ['cache.db', 'transfers.db']) {
        writeFileSync(join(dataDir, name), String(at))
        const before = Date.now()
        const folder = setAside(dataDir, name, [join(dataDir, name)])
        expect(readFileSync(join(folder, name), 'utf8')).toBe(String(at))
        // Their names begin with the millisecond.
        while (Date.now() === before);
      }
    const kept = readdirSync(join(dataDir, ASIDE)).sort()
    expect(kept.filter((name) => name.endsWith('cache.db'))).toHaveLength(3)
    const texts = kept.map((name) =>
      readFileSync(join(dataDir, ASIDE, name, name.split(' ').at(-1) ?? ''), 'utf8'),
    )
    expect(texts.sort()).toEqual(['2', '2', '3', '3', '4', '4'])
  })

  it('is told with the file where it cannot be moved', () => {
    const dataDir = temporary()
    writeFileSync(join(dataDir, ASIDE), 'a file in the place of the folder')
    writeFileSync(join(dataDir, 'cache.db'), 'garbage')
    expect(() => setAside(dataDir, 'cache.db', [join(dataDir, 'cache.db')])).toThrow(
      /cache\.db cannot be read, nor be set aside in .*Move it elsewhere/,
    )
    expect(readFileSync(join(dataDir, 'cache.db'), 'utf8')).toBe('garbage')
    rmSync(join(dataDir, ASIDE))
  })
})
