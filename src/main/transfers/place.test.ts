import { link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeFolder, numbered, partOf, place, wasPlaced } from './place.ts'
import { temporary } from './transfers.fixture.ts'

let folder: string
beforeEach(async () => {
  folder = await temporary()
})

const keep = { told: '', intend: async (path: string) => void (keep.told = path) }

describe('a complete part', () => {
  it('is put under a name that is free, and never over what is there', async () => {
    const target = join(folder, 'world.tar.gz')
    await writeFile(target, 'theirs')
    await writeFile(partOf({ id: 1, target }), 'ours')
    expect(await place(partOf({ id: 1, target }), target, keep.intend)).toBe(join(folder, 'world (2).tar.gz'))
    expect(keep.told).toBe(join(folder, 'world (2).tar.gz'))
    expect(await readFile(target, 'utf8')).toBe('theirs')
    expect(await readdir(folder)).toHaveLength(2)
  })

  it('is known as placed by a panel that was killed before it could say so', async () => {
    const [target, part] = [join(folder, 'a'), partOf({ id: 1, target: join(folder, 'a') })]
    await writeFile(part, 'ours')
    expect(await wasPlaced(part, target, 4)).toBe(false)
    await link(part, target)
    expect(await wasPlaced(part, target, 4)).toBe(true)
    expect(await readdir(folder)).toEqual(['a'])
    expect(await wasPlaced(part, target, 4)).toBe(true)
  })

  it('is not taken for a file of the same size that somebody else put there', async () => {
    const [target, part] = [join(folder, 'a'), partOf({ id: 1, target: join(folder, 'a') })]
    await writeFile(part, 'ours')
    await writeFile(target, 'they')
    expect(await wasPlaced(part, target, 4)).toBe(false)
  })
})

describe('names', () => {
  it('that are taken are numbered before their ending', () => {
    const names = [numbered('a.txt', 1), numbered('a.tar.gz', 2), numbered('world', 3), numbered('.env', 2)]
    expect(names).toEqual(['a.txt', 'a (2).tar.gz', 'world (3)', '.env (2)'])
    const long = numbered(`${'世'.repeat(80)}.txt`, 12)
    expect([long.endsWith('世 (12).txt'), Buffer.byteLength(long) <= 240]).toEqual([true, true])
  })

  it('of folders are free ones too', async () => {
    await mkdir(join(folder, 'world'))
    expect(await makeFolder(folder, 'world', keep.intend)).toBe(join(folder, 'world (2)'))
    expect(keep.told).toBe(join(folder, 'world (2)'))
  })

  it('of folders are told before the folder is there: a panel that is killed then makes no second one', async () => {
    const there: string[][] = []
    await makeFolder(folder, 'world', async () => void there.push(await readdir(folder)))
    expect(there).toEqual([[]])
  })
})
