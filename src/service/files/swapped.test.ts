import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { code, deskOf, never, openTestFiles } from './files.fixture.ts'
import { copyItem } from './item-actions.ts'
import { listFolder } from './list-folder.ts'
import { openIn } from './safe-fs/open-in.ts'
import type { OpenedFile } from './server-files.ts'

// Where names cannot be reached from a handle, it is checked before and after, which is less.
describe.runIf(process.platform === 'linux')('between check and use', () => {
  test('an opened folder stays the one that was checked, whatever takes its place', async () => {
    const { files, outside, root } = await openTestFiles()
    await mkdir(path.join(root, 'plugins'))
    const temp = files.newTemp()
    await writeFile(temp, 'new')
    using located = files.locate('plugins/a.jar')
    await rename(path.join(root, 'plugins'), path.join(root, 'moved'))
    await symlink(outside, path.join(root, 'plugins'))
    linkSync(temp, located.at)
    expect(readdirSync(outside)).toEqual([])
    expect(readdirSync(path.join(root, 'moved'))).toEqual(['a.jar'])
  })

  test('a folder that is swapped for a link all the time never lets anything out or in', async () => {
    const { files, outside, root } = await openTestFiles()
    const [real, aside, at] = ['real', 'aside', 'plugins'].map((name) => path.join(root, name)) as Names
    await writeFile(path.join(outside, 'a.txt'), 'secret')
    mkdirSync(at)
    await writeFile(path.join(at, 'a.txt'), 'mine')
    symlinkSync(outside, aside)
    await using _swapping = await swapping(real, aside, at)
    const seen = new Set<string>()
    const desk = deskOf(files)
    for (let i = 0; i < 300; i++) {
      const temp = files.newTemp()
      await writeFile(temp, 'new')
      const read = files.openRead('plugins/a.txt').then(async ({ handle }) => {
        seen.add(await handle.readFile('utf8'))
        await handle.close()
      })
      const outcomes = await Promise.all([
        code(read),
        code(files.commit(temp, `plugins/new-${i}.txt`, { durable: false })),
        code(copyItem(desk, 'plugins/a.txt', `copy-${i}`, 'refuse', never)),
        code(
          listFolder(files, 'plugins', {}).then(({ items }) => items.forEach(({ name }) => seen.add(name))),
        ),
      ])
      for (const outcome of outcomes)
        expect(['done', 'files.outside', 'files.not-found', 'files.not-folder']).toContain(outcome)
    }
    expect(readdirSync(outside)).toEqual(['a.txt'])
    expect(await readFile(path.join(outside, 'a.txt'), 'utf8')).toBe('secret')
    expect(seen.has('secret')).toBe(false)
    expect(seen.has('mine')).toBe(true)
    for (const name of readdirSync(root).filter((one) => one.startsWith('copy-')))
      expect(await readFile(path.join(root, name), 'utf8')).toBe('mine')
  })

  test('a file that is swapped for a link all the time is read as itself, or not at all', async () => {
    const { files, outside, root } = await openTestFiles()
    const [real, aside, at] = ['real', 'aside', 'a.txt'].map((name) => path.join(root, name)) as Names
    await writeFile(path.join(outside, 'secret.txt'), 'secret')
    await writeFile(at, 'mine')
    symlinkSync(path.join(outside, 'secret.txt'), aside)
    await using _swapping = await swapping(real, aside, at)
    const seen = { opened: new Set<string>(), within: new Set<string>(), copied: new Set<string>() }
    const desk = deskOf(files)
    using folder = files.open('')
    const read = async (into: Set<string>, opened: OpenedFile | null) => {
      if (!opened) return
      into.add(await opened.handle.readFile('utf8'))
      await opened.handle.close()
    }
    for (let i = 0; i < 500; i++) {
      const outcomes = await Promise.all([
        code(files.openRead('a.txt').then((opened) => read(seen.opened, opened))),
        code(openIn(files, folder, 'a.txt').then((opened) => read(seen.within, opened))),
        code(copyItem(desk, 'a.txt', `copy-${i}`, 'refuse', never)),
      ])
      for (const outcome of outcomes)
        expect(['done', 'files.outside', 'files.not-found', 'files.changed']).toContain(outcome)
      const copy = path.join(root, `copy-${i}`)
      if (lstatSync(copy, { throwIfNoEntry: false })?.isFile()) seen.copied.add(await readFile(copy, 'utf8'))
    }
    const mine = new Set(['mine'])
    expect(seen).toEqual({ opened: mine, within: mine, copied: mine })
  })
})

type Names = [real: string, aside: string, at: string]

/**
 * Swaps what is at `at` for what is at `aside` and back, until it is disposed. Another process does it, so that it happens
 * at any point of the calls under test. Where a write makes what is away, that is moved beside `real`.
 */
async function swapping(...names: Names): Promise<AsyncDisposable> {
  const swapper = spawn(process.execPath, [
    '-e',
    `const { renameSync } = require('fs'); const [real, aside, at] = process.argv.slice(1); let made = 0
     const swap = (from, to) => {
       for (;;) try { return renameSync(from, to) } catch { try { renameSync(to, real + '-made-' + made++) } catch {} }
     }
     process.stdout.write('ready')
     for (;;) { swap(at, real); swap(aside, at); swap(at, aside); swap(real, at) }`,
    ...names,
  ])
  const closed = once(swapper, 'close')
  await once(swapper.stdout, 'data')
  return {
    async [Symbol.asyncDispose]() {
      swapper.kill('SIGKILL')
      await closed
    },
  }
}
