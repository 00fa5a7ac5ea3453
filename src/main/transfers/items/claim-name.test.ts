import type * as FileSystem from 'node:fs/promises'
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createMethods } from '../bytes/methods.ts'
import { claimName, makeFolder, numberedHere, partOf, wasClaimed } from './claim-name.ts'
import { temporary } from '../transfers.fixture.ts'

// A stand-in for a file system without links, such as exFAT: what is refused a link here is refused it there.
const disk = vi.hoisted(() => ({ links: true }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>()
  const refused = () => Promise.reject(Object.assign(new Error('EPERM: link'), { code: 'EPERM' }))
  return { ...real, link: (from: string, to: string) => (disk.links ? real.link(from, to) : refused()) }
})

const bytes = { renameIfFree: async (from: string, to: string) => createMethods().renameIfFree(from, to) }
let folder: string
beforeEach(async () => {
  disk.links = true
  folder = await temporary()
})

const keep = { told: '', intend: async (path: string) => void (keep.told = path) }

describe('a complete part', () => {
  it('is put under a name that is free, and never over what is there', async () => {
    const target = join(folder, 'world.tar.gz')
    await writeFile(target, 'theirs')
    await writeFile(partOf({ id: 1, target }), 'ours')
    expect(await claimName(bytes, partOf({ id: 1, target }), target, keep.intend)).toBe(
      join(folder, 'world (2).tar.gz'),
    )
    expect(keep.told).toBe(join(folder, 'world (2).tar.gz'))
    expect(await readFile(target, 'utf8')).toBe('theirs')
    expect(await readdir(folder)).toHaveLength(2)
  })

  it('is known as placed by a panel that was killed before it could say so', async () => {
    const [target, part] = [join(folder, 'a'), partOf({ id: 1, target: join(folder, 'a') })]
    await writeFile(part, 'ours')
    expect(await wasClaimed(part, target, 4)).toBe(false)
    await link(part, target)
    expect(await wasClaimed(part, target, 4)).toBe(true)
    expect(await readdir(folder)).toEqual(['a'])
    expect(await wasClaimed(part, target, 4)).toBe(true)
  })

  it('is not taken for a file of the same size that somebody else put there', async () => {
    const [target, part] = [join(folder, 'a'), partOf({ id: 1, target: join(folder, 'a') })]
    await writeFile(part, 'ours')
    await writeFile(target, 'they')
    expect(await wasClaimed(part, target, 4)).toBe(false)
  })
})

describe('a complete part on a disk without links', () => {
  beforeEach(() => {
    disk.links = false
  })

  it('is put under a name that is free, and never over what is there', async () => {
    const target = join(folder, 'world.zip')
    await writeFile(target, 'theirs')
    await writeFile(partOf({ id: 1, target }), 'ours')
    expect(await claimName(bytes, partOf({ id: 1, target }), target, keep.intend)).toBe(
      join(folder, 'world (2).zip'),
    )
    expect(await readFile(target, 'utf8')).toBe('theirs')
    expect(await readFile(keep.told, 'utf8')).toBe('ours')
    expect(await readdir(folder)).toHaveLength(2)
  })

  it('replaces no other one that is put there at the same time', async () => {
    const target = join(folder, 'world.zip')
    const parts = [1, 2, 3, 4].map((id) => partOf({ id, target }))
    for (const part of parts) await writeFile(part, part)
    await Promise.all(parts.map((part) => claimName(bytes, part, target, keep.intend)))
    const texts = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    )
    expect(texts.toSorted()).toEqual(parts)
  })

  it('that cannot be renamed leaves no empty file under its name', async () => {
    const target = join(folder, 'world.zip')
    const part = partOf({ id: 1, target })
    await writeFile(part, 'ours')
    // What comes after this never happens, as in a panel that is killed.
    const killed = claimName(bytes, part, target, async () => rm(part))
    await expect(killed).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await readdir(folder)).toEqual([])
  })
})

describe('names', () => {
  it('that are taken are numberedHere before their ending', () => {
    const names = [
      numberedHere('a.txt', 1),
      numberedHere('a.tar.gz', 2),
      numberedHere('world', 3),
      numberedHere('.env', 2),
    ]
    expect(names).toEqual(['a.txt', 'a (2).tar.gz', 'world (3)', '.env (2)'])
    const long = numberedHere(`${'世'.repeat(80)}.txt`, 12)
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
