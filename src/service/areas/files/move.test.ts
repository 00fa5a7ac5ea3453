import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { link, mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { stagingOf, startFileService, type FileService } from '../../files/files.fixture.ts'

describe('moving and copying', () => {
  const tree = async (one: FileService) => {
    await mkdir(path.join(one.root, 'world/region'), { recursive: true })
    await writeFile(path.join(one.root, 'world/level.dat'), 'level')
    await writeFile(path.join(one.root, 'world/region/r.0.0.mca'), randomBytes(100_000))
    await utimes(path.join(one.root, 'world/level.dat'), 1e9, 1e9)
    await utimes(path.join(one.root, 'world/region'), 1.1e9, 1.1e9)
  }
  const act = async (
    one: FileService,
    verb: string,
    items: { from: string; to: string }[],
    conflict?: string,
  ) => (await one.ask(`POST ${verb}`, { body: { items, ...(conflict && { conflict }) } })).body.results

  test('answers each item for itself', async () => {
    const one = await startFileService()
    await writeFile(path.join(one.root, 'a'), 'a')
    await writeFile(path.join(one.root, 'b'), 'b')
    const results = await act(one, 'move', [
      { from: 'a', to: 'new/a' },
      { from: 'none', to: 'x' },
      { from: 'b', to: '../b' },
      { from: 'b', to: 'new/a' },
    ])
    expect(results).toMatchObject([
      { path: 'a', outcome: 'done', finalPath: 'new/a' },
      { path: 'none', outcome: 'failed', error: { code: 'files.not-found' } },
      { path: 'b', outcome: 'failed', error: { code: 'files.outside' } },
      { path: 'b', outcome: 'failed', error: { code: 'files.exists' } },
    ])
    expect([await one.onDisk('new/a'), await one.onDisk('b')]).toEqual(['a', 'b'])
  })

  test('copies trees with their times, byte for byte', async () => {
    const one = await startFileService()
    await tree(one)
    expect(await act(one, 'copy', [{ from: 'world', to: 'backup/world' }])).toMatchObject([
      { outcome: 'done' },
    ])
    const there = (name: string) => stat(path.join(one.root, 'backup/world', name))
    expect((await there('level.dat')).mtimeMs).toBe(1e12)
    expect((await there('region')).mtimeMs).toBe(1.1e12)
    const region = 'world/region/r.0.0.mca'
    const [was, is] = [path.join(one.root, region), path.join(one.root, 'backup', region)]
    expect((await readFile(is)).equals(await readFile(was))).toBe(true)
    expect(stagingOf(one)).toEqual([])
  })

  test('never puts a folder into itself, also not through a link', async () => {
    const one = await startFileService()
    await tree(one)
    await symlink('world/region', path.join(one.root, 'link'))
    for (const verb of ['move', 'copy'])
      for (const to of ['world/inner', 'world/region/deep/inner', 'link/inner'])
        expect(await act(one, verb, [{ from: 'world', to }]), `${verb} ${to}`).toMatchObject([
          { outcome: 'failed', error: { code: 'files.into-itself' } },
        ])
    expect(readdirSync(path.join(one.root, 'world')).sort()).toEqual(['level.dat', 'region'])
  })

  test.each(['move', 'copy'])(
    '%s: a taken name is refused, skipped, numbered or replaced as asked',
    async (verb) => {
      const one = await startFileService()
      const fresh = async () => {
        await writeFile(path.join(one.root, 'new.tar.gz'), 'new')
        await writeFile(path.join(one.root, 'old.tar.gz'), 'old')
      }
      const items = [{ from: 'new.tar.gz', to: 'old.tar.gz' }]
      await fresh()
      expect(await act(one, verb, items)).toMatchObject([
        { outcome: 'failed', error: { code: 'files.exists' } },
      ])
      expect(await act(one, verb, items, 'skip')).toMatchObject([{ outcome: 'skipped' }])
      expect(await one.onDisk('old.tar.gz')).toBe('old')
      const kept = await act(one, verb, items, 'keep-both')
      expect(kept).toMatchObject([{ outcome: 'done', finalPath: 'old (2).tar.gz' }])
      expect([await one.onDisk('old.tar.gz'), await one.onDisk('old (2).tar.gz')]).toEqual(['old', 'new'])
      await fresh()
      expect(await act(one, verb, items, 'replace')).toMatchObject([
        { outcome: 'done', finalPath: 'old.tar.gz' },
      ])
      expect(await one.onDisk('old.tar.gz')).toBe('new')
      expect(existsSync(path.join(one.root, 'new.tar.gz'))).toBe(verb === 'copy')
      // What was replaced can be brought back.
      const [held] = (await one.ask('GET trash')).body.items
      expect(held).toMatchObject({ path: 'old.tar.gz', size: 3 })
      await one.ask('POST restore', { body: { ids: [held.id], conflict: 'keep-both' } })
      expect(readdirSync(one.root)).toContain('old (3).tar.gz')
    },
  )

  test('replaces a folder as a whole, and the old one is in the trash', async () => {
    const one = await startFileService()
    await tree(one)
    await mkdir(path.join(one.root, 'old'))
    await writeFile(path.join(one.root, 'old/mine'), 'mine')
    expect(await act(one, 'move', [{ from: 'world', to: 'old' }])).toMatchObject([{ outcome: 'failed' }])
    expect(await act(one, 'move', [{ from: 'world', to: 'old' }], 'replace')).toMatchObject([
      { outcome: 'done' },
    ])
    expect(readdirSync(path.join(one.root, 'old')).sort()).toEqual(['level.dat', 'region'])
    expect((await one.ask('GET trash')).body.items).toMatchObject([{ path: 'old', kind: 'folder', size: 4 }])
  })

  test('onto itself loses nothing, also where a file has two names', async () => {
    const one = await startFileService()
    await writeFile(path.join(one.root, 'a'), 'a')
    await link(path.join(one.root, 'a'), path.join(one.root, 'b'))
    expect(await act(one, 'move', [{ from: 'a', to: 'a' }], 'replace')).toMatchObject([{ outcome: 'done' }])
    expect(await act(one, 'copy', [{ from: 'a', to: 'a' }], 'replace')).toMatchObject([{ outcome: 'done' }])
    expect(readdirSync(one.root).sort()).toEqual(['a', 'b'])
    expect(await act(one, 'move', [{ from: 'a', to: 'b' }], 'replace')).toMatchObject([{ outcome: 'done' }])
    expect(readdirSync(one.root)).toEqual(['b'])
    expect(await one.onDisk('b')).toBe('a')
  })

  test('a copy is refused where it does not fit', async () => {
    const one = await startFileService({ fileLimits: { quotaBytes: 150_000 } })
    await tree(one)
    expect(await act(one, 'copy', [{ from: 'world', to: 'copy' }])).toMatchObject([
      { outcome: 'failed', error: { code: 'files.quota' } },
    ])
    expect(stagingOf(one)).toEqual([])
  })

  test('a copy ends when who asked goes away, and leaves nothing', async () => {
    const one = await startFileService()
    await mkdir(path.join(one.root, 'big'))
    for (let i = 0; i < 40; i++)
      await writeFile(path.join(one.root, 'big', `${i}`), Buffer.alloc(10_000_000, i))
    const abort = new AbortController()
    const copying = one.raw('POST copy', {
      signal: abort.signal,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ items: [{ from: 'big', to: 'copy' }] }),
    })
    await expect.poll(() => stagingOf(one).length).toBe(1)
    abort.abort()
    await expect(copying).rejects.toThrow()
    await expect.poll(() => stagingOf(one)).toEqual([])
    expect(readdirSync(one.root)).toEqual(['big'])
  })
})
