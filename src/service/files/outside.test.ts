import { readdirSync, rmSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { code, deskOf, never, openTestFiles } from './files.fixture.ts'
import { copyItem, moveItem, restoreItem, trashItem } from './item-actions.ts'
import { listFolder } from './list-folder.ts'
import type { ServerFiles } from './server-files.ts'

/** Every way to use a path; each has to refuse it. */
async function everyUse(files: ServerFiles, bad: string): Promise<Record<string, unknown>> {
  const desk = deskOf(files)
  const inside = (name: string) => writeFile(path.join(files.root, name), 'mine')
  const temp = files.newTemp()
  await Promise.all([inside('a.txt'), inside('b.txt'), writeFile(temp, 'new')])
  return {
    list: await code(listFolder(files, bad, {})),
    read: await code(files.openRead(bad).then(({ handle }) => handle.close())),
    write: await code(files.commit(temp, bad, { conflict: 'replace' })),
    writeBelow: await code(files.commit(temp, `${bad}/new.txt`)),
    moveFrom: await code(moveItem(desk, bad, 'stolen', 'refuse')),
    moveTo: await code(moveItem(desk, 'a.txt', bad, 'replace')),
    copyFrom: await code(copyItem(desk, bad, 'stolen', 'refuse', never)),
    copyTo: await code(copyItem(desk, 'b.txt', bad, 'replace', never)),
    remove: await code(trashItem(desk, bad, desk.trash.newCall(), 0)),
  }
}

const refusedBy = (code: string) =>
  expect.objectContaining({ ...Object.fromEntries(USES.map((use) => [use, code])) })
const USES = ['list', 'read', 'write', 'writeBelow', 'moveFrom', 'moveTo', 'copyFrom', 'copyTo', 'remove']

describe('a path that leads out is refused by every operation', () => {
  test.each(['..', '../outside', 'plugins/../../outside', 'a/..', '..\\outside', 'a\\..\\..\\outside'])(
    'by climbing: %s',
    async (bad) => {
      const { files } = await openTestFiles()
      expect(await everyUse(files, bad)).toEqual(refusedBy('files.outside'))
    },
  )

  test.each(['/etc', '/', '//server/share', '\\\\server\\share', '\\etc', 'C:', 'c:/Windows', 'C:\\Windows'])(
    'by beginning elsewhere: %s',
    async (bad) => {
      const { files } = await openTestFiles()
      expect(await everyUse(files, bad)).toEqual(refusedBy('files.outside'))
    },
  )
})

describe('a name that nothing new may have is refused by every operation', () => {
  test.runIf(process.platform === 'win32').each([
    ['a trailing dot', 'a.'],
    ['a trailing space', 'a '],
    ['a colon', 'a:b'],
  ])('on Windows: %s', async (_what, bad) => {
    const { files } = await openTestFiles()
    expect(await everyUse(files, bad)).toEqual(refusedBy('files.name-invalid'))
  })

  test
    .runIf(process.platform === 'win32')
    .each(['CON', 'nul', 'aux.txt', 'COM1', 'lpt9.log', 'COM¹', 'prn .txt', 'CONIN$', 'plugins/NUL.yml'])(
    'on Windows: a device: %s',
    async (bad) => {
      const { files } = await openTestFiles()
      expect(await everyUse(files, bad)).toEqual(refusedBy('files.name-invalid'))
    },
  )

  test.each([
    ['NUL', 'a\0b'],
    ['a control character', 'a\u0001b'],
    ['a line break', 'a\nb'],
    ['delete', 'a\u007f'],
    ['a backslash', 'a\\b'],
    ['an empty part', 'a//b'],
    ['a dot', './a'],
    ['a trailing slash', 'a/'],
    ['blanks alone', '  '],
    ['half a character', 'a\ud800'],
    ['300 bytes', 'x'.repeat(300)],
    ['300 bytes in 100 letters', '語'.repeat(100)],
  ])('%s', async (_what, bad) => {
    const { files } = await openTestFiles()
    expect(await everyUse(files, bad)).toEqual(refusedBy('files.name-invalid'))
  })

  test('and what looks like one and is none is taken', async () => {
    const { files } = await openTestFiles()
    const good = [
      'console',
      'com10',
      'nullable.txt',
      '..a',
      '.hidden',
      'a..b',
      '語'.repeat(85),
      '🎮 мир.dat',
      'عالم',
    ]
    for (const name of good) {
      const temp = files.newTemp()
      await writeFile(temp, name)
      await files.commit(temp, name)
    }
    expect(readdirSync(files.root).sort()).toEqual([...good].sort())
  })
})

describe('links', () => {
  test('to a folder outside lead nowhere, absolute or relative, directly or by another link', async () => {
    for (const target of ['absolute', 'relative', 'twice']) {
      const { files, outside, root } = await openTestFiles()
      await writeFile(path.join(outside, 'secret.txt'), 'secret')
      if (target === 'twice') await symlink(outside, path.join(root, 'first'))
      await symlink(
        target === 'absolute' ? outside : target === 'relative' ? '../../outside' : 'first',
        path.join(root, 'out'),
      )
      const uses = await everyUse(files, 'out/secret.txt')
      expect(uses, target).toEqual(refusedBy('files.outside'))
      expect(await code(listFolder(files, 'out', {})), target).toBe('files.outside')
      expect(readdirSync(outside), target).toEqual(['secret.txt'])
    }
  })

  test('to a file outside are not read, written or copied through, and can be deleted themselves', async () => {
    const { files, outside, root } = await openTestFiles()
    const secret = path.join(outside, 'secret.txt')
    await writeFile(secret, 'secret')
    await symlink(secret, path.join(root, 'link.txt'))
    const temp = files.newTemp()
    await writeFile(temp, 'new')
    expect(await code(files.openRead('link.txt'))).toBe('files.outside')
    expect(await code(files.commit(temp, 'link.txt', { conflict: 'replace' }))).toBe('files.outside')
    const desk = deskOf(files)
    await copyItem(desk, 'link.txt', 'copy.txt', 'refuse', never)
    expect(await code(files.openRead('copy.txt'))).toBe('files.outside')
    await trashItem(desk, 'link.txt', desk.trash.newCall(), 0)
    expect(readdirSync(root)).toEqual(['copy.txt'])
    expect(await readFile(secret, 'utf8')).toBe('secret')
  })

  test('that lead in a circle end', async () => {
    const { files, root } = await openTestFiles()
    await symlink('b', path.join(root, 'a'))
    await symlink('a', path.join(root, 'b'))
    expect(await code(files.openRead('a'))).toBe('files.outside')
    expect(await code(files.openRead('a/x'))).toBe('files.outside')
  })

  test('within the folder are followed', async () => {
    const { files, root } = await openTestFiles()
    await mkdir(path.join(root, 'worlds/one'), { recursive: true })
    await writeFile(path.join(root, 'worlds/one/level.dat'), 'level')
    await symlink('worlds/one', path.join(root, 'world'))
    await symlink(path.join(root, 'worlds'), path.join(root, 'all'))
    await symlink('../worlds/one/level.dat', path.join(root, 'worlds/level'))
    for (const name of ['world/level.dat', 'all/one/level.dat', 'all/level']) {
      const { handle, path: real } = await files.openRead(name)
      expect([await handle.readFile('utf8'), real]).toEqual(['level', 'worlds/one/level.dat'])
      await handle.close()
    }
    const temp = files.newTemp()
    await writeFile(temp, 'new')
    await files.commit(temp, 'all/level', { conflict: 'replace' })
    expect(await readFile(path.join(root, 'worlds/one/level.dat'), 'utf8')).toBe('new')
  })

  test('in a copied tree stay links, and a restored one leads nowhere new', async () => {
    const { files, outside, root } = await openTestFiles()
    await writeFile(path.join(outside, 'secret.txt'), 'secret')
    await mkdir(path.join(root, 'tree'))
    await symlink(outside, path.join(root, 'tree/out'))
    const desk = deskOf(files)
    await copyItem(desk, 'tree', 'copy', 'refuse', never)
    expect(await code(files.openRead('copy/out/secret.txt'))).toBe('files.outside')
    const { id } = await trashItem(desk, 'copy', desk.trash.newCall(), 0)
    await symlink(outside, path.join(root, 'copy'))
    expect(await code(restoreItem(desk, id, 'replace'))).toBe('done')
    expect(readdirSync(outside)).toEqual(['secret.txt'])
  })

  test('and folders above a deleted thing that became a link meanwhile do not bring it back outside', async () => {
    const { files, outside, root } = await openTestFiles()
    await mkdir(path.join(root, 'plugins'))
    await writeFile(path.join(root, 'plugins/a.jar'), 'jar')
    const desk = deskOf(files)
    const { id } = await trashItem(desk, 'plugins/a.jar', desk.trash.newCall(), 0)
    rmSync(path.join(root, 'plugins'), { recursive: true })
    await symlink(outside, path.join(root, 'plugins'))
    expect(await code(restoreItem(desk, id, 'replace'))).toBe('files.outside')
    expect(readdirSync(outside)).toEqual([])
    expect((await desk.trash.list()).length).toBe(1)
  })
})

describe('hard links', () => {
  test('of a file outside are not read or copied, and writing one leaves the other as it was', async () => {
    const { files, outside, root } = await openTestFiles()
    const secret = path.join(outside, 'secret.txt')
    await writeFile(secret, 'secret')
    await mkdir(path.join(root, 'tree'))
    await link(secret, path.join(root, 'tree/hard.txt'))
    const desk = deskOf(files)
    expect(await code(files.openRead('tree/hard.txt'))).toBe('files.outside')
    expect(await code(copyItem(desk, 'tree/hard.txt', 'copy.txt', 'refuse', never))).toBe('files.outside')
    expect(await code(copyItem(desk, 'tree', 'copied', 'refuse', never))).toBe('files.outside')
    expect(readdirSync(root)).toEqual(['tree'])
    expect(readdirSync(files.staging)).toEqual([])
    const temp = files.newTemp()
    await writeFile(temp, 'new')
    await files.commit(temp, 'tree/hard.txt', { conflict: 'replace' })
    expect(await readFile(secret, 'utf8')).toBe('secret')
    expect(await readFile(path.join(root, 'tree/hard.txt'), 'utf8')).toBe('new')
  })

  test('of a file within the folder are read', async () => {
    const { files, root } = await openTestFiles()
    await mkdir(path.join(root, 'backup'))
    await writeFile(path.join(root, 'a.txt'), 'a')
    await link(path.join(root, 'a.txt'), path.join(root, 'backup/a.txt'))
    const { handle } = await files.openRead('backup/a.txt')
    expect(await handle.readFile('utf8')).toBe('a')
    await handle.close()
  })

  test('are counted anew for a file that got or lost a name since', async () => {
    const { files, root, outside } = await openTestFiles()
    const at = path.join(root, 'a.txt')
    await writeFile(at, 'a')
    await link(at, path.join(root, 'b.txt'))
    const opened = async () => {
      await using handle = (await files.openRead('a.txt')).handle
      return handle.readFile('utf8')
    }
    expect(await opened()).toBe('a')
    await link(at, path.join(root, 'c.txt'))
    expect(await opened()).toBe('a')
    await rename(path.join(root, 'c.txt'), path.join(outside, 'c.txt'))
    expect(await code(files.openRead('a.txt'))).toBe('files.outside')
    await rm(path.join(outside, 'c.txt'))
    expect(await opened()).toBe('a')
  })
})
