import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SystemFiles } from '../desktop/file-dialogs.ts'
import { openWindow, testPorts } from '../panel/panel.fixture.ts'
import { createPanel } from '../panel/panel.ts'
import { put, startTarget, temporary } from './transfers.fixture.ts'

/** A panel with the dialogs of a system, in which a person chooses what `person` says. */
async function atComputer(dialogs = true) {
  const [target, folder] = await Promise.all([startTarget(), temporary()])
  const person = {
    place: null as string | null,
    folder: null as string | null,
    there: [] as string[],
    suggested: [] as string[],
    revealed: [] as string[],
    before: async () => undefined as unknown,
  }
  const systemFiles: SystemFiles = {
    open: async () => '',
    reveal: (path) => void person.revealed.push(path),
    pickFolder: async (from) => {
      person.suggested.push(from)
      await person.before()
      return person.folder
    },
    pickPlace: async (suggested) => {
      person.suggested.push(suggested)
      return person.place
    },
    pickThere: async () => person.there,
  }
  await mkdir(join(folder, 'data'))
  const begin = () =>
    createPanel({
      ...testPorts(join(folder, 'data')),
      downloadsFolder: join(folder, 'usual'),
      ...(dialogs ? { systemFiles } : {}),
    })
  let panel = await begin()
  onTestFinished(() => panel.close())
  const window = openWindow(panel)
  const { id } = await window.call('connections.use-token', {
    baseUrl: target.service.baseUrl,
    token: target.token,
  })
  const ref = { connectionId: id, serverId: target.serverId }
  const ended = (transferId: string | null) =>
    window
      .until('transfers', ({ items }) => items.some((one) => one.id === transferId && one.endedAt !== null))
      .then(({ items }) => items.find((one) => one.id === transferId)!)
  const again = async () => {
    await panel.close()
    panel = await begin()
    return openWindow(panel)
  }
  return { ...window, target, folder, person, ref, ended, again }
}
const code = (thrown: unknown) => (thrown as { problem: { code: string } }).problem.code

it('a file goes where a person says, under the name they say, and is shown there', async () => {
  const { call, target, folder, person, ref, ended } = await atComputer()
  await put(target.folder, 'level.dat', 100)
  expect(await call('computer.download-to', { ...ref, paths: ['level.dat'] })).toEqual({ transferId: null })
  person.place = join(folder, 'else', 'my level.dat')
  const { transferId } = await call('computer.download-to', { ...ref, paths: ['level.dat'] })
  const done = await ended(transferId)
  expect(done).toMatchObject({ state: 'done', folder: dirname(person.place), name: 'level.dat' })
  expect(await readFile(person.place)).toEqual(await readFile(join(target.folder, 'level.dat')))
  expect(person.suggested).toEqual([join(folder, 'usual', 'level.dat'), join(folder, 'usual', 'level.dat')])
  await call('computer.reveal', { transferId: transferId! })
  expect(person.revealed).toEqual([person.place])
  await rm(person.place)
  expect(await call('computer.reveal', { transferId: transferId! }).catch(code)).toBe('not-found')
})

it('it takes the place of a file only where that was there when a person agreed', async () => {
  const { call, target, folder, person, ref, ended } = await atComputer()
  await writeFile(join(target.folder, 'a.txt'), 'theirs')
  person.place = join(folder, 'mine.txt')
  await writeFile(person.place, 'old')
  const first = await call('computer.download-to', { ...ref, paths: ['a.txt'] })
  await ended(first.transferId)
  expect(await readFile(person.place, 'utf8')).toBe('theirs')
  expect(await readdir(folder)).toEqual(['data', 'mine.txt'])

  person.place = join(folder, 'new.txt')
  await call('transfers.limit', { limit: 1024, atOnce: 1 })
  await writeFile(join(target.folder, 'b.txt'), Buffer.alloc(3000, 'b'))
  const second = await call('computer.download-to', { ...ref, paths: ['b.txt'] })
  await writeFile(person.place, 'made meanwhile')
  await call('transfers.limit', { limit: null, atOnce: 1 })
  await ended(second.transferId)
  expect(await readFile(person.place, 'utf8')).toBe('made meanwhile')
  expect((await readFile(join(folder, 'new (2).txt'))).length).toBe(3000)
})

it('several, and folders, go into a folder that a person chooses', async () => {
  const { call, target, folder, person, ref, ended } = await atComputer()
  await put(target.folder, 'world/region/r.mca', 50)
  person.folder = join(folder, 'disk')
  await mkdir(join(person.folder, 'world'), { recursive: true })
  const { transferId } = await call('computer.download-to', { ...ref, paths: ['world'] })
  await ended(transferId)
  expect((await readFile(join(person.folder, 'world (2)', 'region', 'r.mca'))).length).toBe(50)
  await call('computer.reveal', { transferId: transferId! })
  expect(person.revealed).toEqual([join(person.folder, 'world (2)')])
})

it('what a person chooses is uploaded, folders with all they hold', async () => {
  const { call, target, folder, person, ref, ended } = await atComputer()
  expect(await call('computer.pick-and-send', { ...ref, folder: '', what: 'files' })).toEqual({
    transferId: null,
  })
  await put(join(folder, 'mine'), 'deep/one.txt', 5)
  person.there = [join(folder, 'mine')]
  const { transferId } = await call('computer.pick-and-send', { ...ref, folder: 'plugins', what: 'folders' })
  expect(await ended(transferId)).toMatchObject({ state: 'done', name: 'mine' })
  expect((await readFile(join(target.folder, 'plugins/mine/deep/one.txt'))).length).toBe(5)
})

it('a whole disk is not uploaded under no name, and a sentence says so', async () => {
  const { call, folder, person, ref } = await atComputer()
  person.there = [join(folder, 'mine'), parse(folder).root]
  const sending = call('computer.pick-and-send', { ...ref, folder: '', what: 'folders' })
  await expect(sending).rejects.toThrow('is a whole disk. Choose the folders on it')
  await expect(sending).rejects.toMatchObject({ problem: { code: 'invalid' } })
})

it('the folder for downloads is the chosen one, also after a start, and nothing goes elsewhere while it is gone', async () => {
  const { call, target, folder, person, ref, ended, again } = await atComputer()
  const usual = { path: join(folder, 'usual'), isChosen: false, isThere: true }
  expect(await call('computer.choose-downloads', undefined)).toEqual(usual)
  person.folder = join(folder, 'disk')
  await mkdir(person.folder)
  const chosen = { path: person.folder, isChosen: true, isThere: true }
  expect(await call('computer.choose-downloads', undefined)).toEqual(chosen)
  await put(target.folder, 'a.txt', 10)
  const { transferId } = await call('transfers.download', { ...ref, paths: ['a.txt'] })
  await ended(transferId)
  expect(await readdir(person.folder)).toEqual(['a.txt'])

  const { call: later } = await again()
  expect(await later('computer.downloads', undefined)).toEqual(chosen)
  await rm(person.folder, { recursive: true })
  expect(await later('computer.downloads', undefined)).toEqual({ ...chosen, isThere: false })
  const refused = later('transfers.download', { ...ref, paths: ['a.txt'] })
  expect(await refused.catch(code)).toBe('conflict')
  // What the panel saves itself is not lost.
  expect((await later('settings-transfer.save', undefined)).path.startsWith(join(folder, 'usual'))).toBe(true)
  expect(await later('computer.usual-downloads', undefined)).toEqual(usual)
})

it('one dialog is open at a time', async () => {
  const { call, person } = await atComputer()
  const open = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  person.before = async () => {
    open.resolve()
    await answered.promise
  }
  const first = call('computer.choose-downloads', undefined)
  await open.promise
  expect(await call('computer.choose-downloads', undefined).catch(code)).toBe('conflict')
  answered.resolve()
  await first
  expect(person.suggested).toHaveLength(1)
})

it('where there are no dialogs nothing of this is there', async () => {
  const { call, ref } = await atComputer(false)
  expect((await call('app.info', undefined)).dialogs).toBe(false)
  const codes = await Promise.all([
    call('computer.download-to', { ...ref, paths: ['a'] }).catch(code),
    call('computer.pick-and-send', { ...ref, folder: '', what: 'files' }).catch(code),
    call('computer.reveal', { transferId: 't' }).catch(code),
    call('computer.choose-downloads', undefined).catch(code),
    call('computer.usual-downloads', undefined).catch(code),
  ])
  expect(new Set(codes)).toEqual(new Set(['unavailable']))
})
