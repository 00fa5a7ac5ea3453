import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { noLog } from '../logging/log.ts'
import { StartupNotices } from '../base/startup-notices.ts'
import { noteBegunUpdate, tellOfBegunUpdate } from './begun-update.ts'
import { argumentsAgain, keepFolderOverUpdate, takeFolderAfterUpdate } from './folder-after-update.ts'
import { copyName, sweepLeftoverCopies } from './leftover-copies.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'begun-update-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

const begun = { from: '1.0.0', to: '1.1.0', notes: 'Tray', tried: true, why: null }

/** A start of a version: what it answers, and the notes it shows. */
async function started(version: string) {
  const notes = new StartupNotices(() => {})
  const installed = await tellOfBegunUpdate({ dataDir: folder, version, notes, log: noLog })
  return { installed, notes, told: notes.list().map(({ text }) => text) }
}

describe('an installation that the panel began as it ended', () => {
  it('is told once where it worked, with what is new', async () => {
    noteBegunUpdate(folder, begun)
    const first = await started('1.1.0')
    expect(first.told).toEqual([{ key: 'update.done', values: { version: '1.1.0' } }])
    expect(first.installed).toEqual({ version: '1.1.0', notes: 'Tray' })
    expect(await started('1.1.0')).toMatchObject({ told: [], installed: null })
  })

  it('is told at every start until it was read where the old version came back', async () => {
    noteBegunUpdate(folder, { ...begun, why: 'no room' })
    const values = { version: '1.1.0', current: '1.0.0' }
    expect(await started('1.0.0')).toMatchObject({ told: [{ key: 'update.not-done', values }] })
    const second = await started('1.0.0')
    expect(second).toMatchObject({ told: [{ key: 'update.not-done', values }], installed: null })
    second.notes.dismiss(second.notes.list()[0]!.id)
    expect((await started('1.0.0')).told).toEqual([])
  })

  it('is not told where nobody tried it, where another version was installed by hand, or nothing can be read', async () => {
    noteBegunUpdate(folder, { ...begun, tried: false })
    expect((await started('1.0.0')).told).toEqual([])
    noteBegunUpdate(folder, begun)
    expect((await started('1.2.0')).told).toEqual([])
    expect((await started('1.0.0')).told).toEqual([])
    writeFileSync(join(folder, 'update-begun.json'), '{"from":')
    expect((await started('1.0.0')).told).toEqual([])
  })
})

it('copies of a new version that an update left are removed, and nothing else', async () => {
  const program = join(folder, 'Wheelhouse (1).AppImage')
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const old = new Date(Date.now() - 2 * 60 * 60_000)
  const kept = ['Wheelhouse (1).AppImage', `Wheelhouse.AppImage.${id}.new`, 'Wheelhouse (1).AppImage.x.new']
  for (const name of kept) writeFileSync(join(folder, name), '')
  writeFileSync(copyName(program, id), 'cut off')
  const fresh = copyName(program, id.replace('0f', '1f'))
  writeFileSync(fresh, 'of another panel, this moment')
  const link = copyName(program, id.replace('0f', '2f'))
  symlinkSync(program, link)
  for (const name of [...kept, `Wheelhouse (1).AppImage.${id}.new`]) utimesSync(join(folder, name), old, old)
  await sweepLeftoverCopies(program)
  expect((await readdir(folder)).sort()).toEqual(
    [...kept, ...[fresh, link].map((file) => file.slice(folder.length + 1))].sort(),
  )
  await sweepLeftoverCopies(join(folder, 'nowhere', 'Wheelhouse.AppImage'))
})

describe('the folder of a panel whose installer starts it without arguments', () => {
  it('is found by the start after it, once, and only so long as that can be it', () => {
    const home = join(folder, 'default')
    keepFolderOverUpdate('/elsewhere', home, 1_000)
    expect([takeFolderAfterUpdate(home, 2_000), takeFolderAfterUpdate(home, 2_000)]).toEqual([
      '/elsewhere',
      null,
    ])
    keepFolderOverUpdate('/elsewhere', home, 1_000)
    expect(takeFolderAfterUpdate(home, 60 * 60_000)).toBeNull()
    expect(existsSync(join(home, 'after-update.json'))).toBe(false)
  })

  it('is named by the arguments where this version comes back, and no later start finds the note', () => {
    const home = join(folder, 'default')
    keepFolderOverUpdate('/elsewhere', home, 1_000)
    expect(argumentsAgain(['--hidden'], '/elsewhere', home)).toEqual(['--hidden', '--data=/elsewhere'])
    expect(takeFolderAfterUpdate(home, 2_000)).toBeNull()
    for (const args of [['--data', '/elsewhere'], ['--data=/elsewhere']])
      expect(argumentsAgain(args, '/elsewhere', home)).toEqual(args)
    expect(argumentsAgain([], home, home)).toEqual([])
  })

  it('is followed for half an hour at most where the note is still there at the next start', () => {
    const home = join(folder, 'default')
    keepFolderOverUpdate('/elsewhere', home, 1_000)
    // As on a drive that became read-only, where nobody removes it.
    const kept = readFileSync(join(home, 'after-update.json'))
    const take = (at: number) => {
      const taken = takeFolderAfterUpdate(home, at)
      writeFileSync(join(home, 'after-update.json'), kept)
      return taken
    }
    expect([take(2_000), take(29 * 60_000), take(32 * 60_000)]).toEqual(['/elsewhere', '/elsewhere', null])
  })

  it('is not noted where it is the default one, and garbage counts as none', () => {
    keepFolderOverUpdate(folder, folder)
    expect(existsSync(join(folder, 'after-update.json'))).toBe(false)
    writeFileSync(join(folder, 'after-update.json'), '{"dataDir":"not absolute","at":0}')
    expect(takeFolderAfterUpdate(folder, 0)).toBeNull()
    mkdirSync(join(folder, 'after-update.json'))
    expect(takeFolderAfterUpdate(folder, 0)).toBeNull()
  })
})
