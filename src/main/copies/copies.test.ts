import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { PickedPaths } from '../transfers/intake/picked.ts'
import { startTarget, type Target } from '../transfers/transfers.fixture.ts'
import { copiesHandlers } from './calls.ts'
import { countedAt, openCopies, temporary, texts } from './copies.fixture.ts'

const FILES = {
  'server.properties': 'motd=mine\n',
  'world/level.dat': 'level',
  'world/region/r.0.0.mca': 'chunks',
  'world/region/r.0.1.mca': 'more chunks',
}

async function put(target: Target, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(target.folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

async function started(files: Record<string, string> = FILES) {
  const target = await startTarget()
  await rm(target.folder, { recursive: true })
  await put(target, files)
  const { line, read } = await countedAt({ baseUrl: target.service.baseUrl, token: target.token })
  return { ...target, target, line, read }
}

it('a copy has the files of the server, and their times', async () => {
  const { target, line, serverId } = await started({ ...FILES, 'logs/latest.log': 'a log' })
  const time = new Date('2026-03-01T10:20:30Z')
  await utimes(join(target.folder, 'world/level.dat'), time, time)
  const at = await openCopies(line, await temporary())
  const state = await at.copy(serverId)
  expect(state.last?.problem).toBeNull()
  expect(state.copies).toMatchObject([
    {
      files: 4,
      fetchedFiles: 4,
      missing: [],
      missingCount: 0,
      saving: 'stopped',
      shares: true,
      isWhole: true,
    },
  ])
  const path = await at.pathOf(serverId, 0)
  expect(await texts(path)).toEqual(FILES)
  expect((await stat(join(path, 'world/level.dat'))).mtime).toEqual(time)
})

it('the next one reads only what changed, and shares the rest', async () => {
  const { target, line, read, serverId } = await started()
  const at = await openCopies(line, await temporary())
  await at.copy(serverId)
  read.length = 0
  await put(target, { 'world/level.dat': 'LEVEL' })
  await rm(join(target.folder, 'world/region/r.0.1.mca'))
  at.now = Date.now() + 60_000
  const { copies } = await at.copy(serverId)
  expect(read).toEqual(['world/level.dat'])
  expect(copies).toMatchObject([{ files: 3, fetchedFiles: 1, fetchedBytes: 5 }, { files: 4 }])
  const [now, before] = [await at.pathOf(serverId, 0), await at.pathOf(serverId, 1)]
  expect(await texts(before)).toEqual(FILES)
  const { 'world/region/r.0.1.mca': _gone, ...left } = FILES
  expect(await texts(now)).toEqual({ ...left, 'world/level.dat': 'LEVEL' })
  const inodes = (name: string) =>
    Promise.all([now, before].map(async (folder) => (await stat(join(folder, name))).ino))
  const [same, other] = [await inodes('world/region/r.0.0.mca'), await inodes('world/level.dat')]
  expect(same[0]).toBe(same[1])
  expect(other[0]).not.toBe(other[1])
})

it('a file that was changed in a copy is not used for the next', async () => {
  const { line, read, serverId } = await started()
  const at = await openCopies(line, await temporary())
  await at.copy(serverId)
  read.length = 0
  const file = join(await at.pathOf(serverId, 0), 'world/level.dat')
  await rm(file)
  await writeFile(file, 'LEVEL')
  at.now = Date.now() + 60_000
  await at.copy(serverId)
  expect(read).toEqual(['world/level.dat'])
  expect(await texts(await at.pathOf(serverId, 0))).toEqual(FILES)
})

it('keeps as many as wanted, and finds them again under another connection', async () => {
  const { line, serverId } = await started()
  const folder = await temporary()
  const at = await openCopies(line, folder)
  await at.copies.change(at.server(serverId), { keep: 2 })
  for (const minute of [1, 2, 3]) {
    at.now = Date.UTC(2026, 5, 1, 3, minute)
    await at.copy(serverId)
  }
  const made = (await at.copies.state(at.server(serverId))).copies.map((copy) => copy.at)
  expect(made).toEqual(['2026-06-01T03:03:00.000Z', '2026-06-01T03:02:00.000Z'])
  await at.plans.forget('c')
  await at.close()
  const later = await openCopies(line, folder, 'signed in again')
  const { on, copies } = await later.copies.state(later.server(serverId))
  expect(on).toBe(false)
  expect(copies.map((copy) => copy.at)).toEqual(made)
  const left = await later.copies.remove(later.server(serverId), copies[0]?.id ?? '')
  expect(left.copies).toHaveLength(1)
})

it('into a chosen folder, which is not made again once it is gone', async () => {
  const { line, serverId } = await started()
  const at = await openCopies(line, await temporary())
  const disk = await temporary()
  const chosen = await at.copies.choose(at.server(serverId), disk)
  expect(chosen.folder).toEqual({ path: join(disk, 'Wheelhouse copies'), isChosen: true, isThere: true })
  expect((await at.copy(serverId)).copies).toHaveLength(1)
  expect((await at.pathOf(serverId, 0)).startsWith(disk)).toBe(true)
  await rm(chosen.folder.path, { recursive: true })
  const after = await at.copy(serverId)
  expect(after.last?.problem).toMatchObject({ code: 'conflict', text: { key: 'copies.no-folder' } })
  expect(after).toMatchObject({ folder: { isThere: false }, copies: [] })
})

it('when it is time, and a time that was missed once; not while signed out', async () => {
  const { line, serverId } = await started()
  const at = await openCopies(line, await temporary())
  const day = (date: number, hour: number) => new Date(2026, 5, date, hour).getTime()
  const server = at.server(serverId)
  at.now = day(1, 12)
  await at.copies.change(server, { on: true, hour: 3 })
  await at.copies.look()
  at.now = day(2, 2)
  await at.copies.look()
  expect(at.told.some(({ running }) => running !== null)).toBe(false)
  at.isReady = false
  at.now = day(4, 9)
  await at.copies.look()
  expect(await at.copies.state(server)).toMatchObject({ isLate: true, running: null })
  at.isReady = true
  await at.copies.look()
  await at.until(({ copies, running }) => copies.length === 1 && running === null)
  await at.copies.look()
  expect(await at.copies.state(server)).toMatchObject({ isLate: false, running: null })
  expect((await at.copies.state(server)).copies).toHaveLength(1)
  expect(at.notes).toEqual([])
})

it('tells once that there has been no copy for three days', async () => {
  const { line, serverId } = await started()
  const at = await openCopies(line, await temporary())
  await at.copies.change(at.server(serverId), { on: true, hour: 3 })
  at.isReady = false
  for (const days of [2, 4, 5]) {
    at.now = Date.now() + days * 86_400_000
    await at.copies.look()
  }
  expect(at.notes).toEqual([expect.stringContaining('hasn’t been copied to this computer for three days')])
})

it('after signing out nothing is left to be made', async () => {
  const { line, serverId } = await started()
  const folder = await temporary()
  const at = await openCopies(line, folder)
  await at.copies.change(at.server(serverId), { on: true })
  await at.copies.begin(at.server(serverId))
  await at.copies.leave('c')
  await at.plans.forget('c')
  await at.close()
  const later = await openCopies(line, folder)
  expect(await later.plans.all()).toEqual([])
})

it('a folder is picked and shown by main alone, and in a browser not at all', async () => {
  const { line, serverId } = await started()
  const at = await openCopies(line, await temporary())
  const disk = await temporary()
  const shown: string[] = []
  const systemFiles = {
    ...{ open: async () => '', pickPlace: async () => null, pickThere: async () => [] },
    pickFolder: async () => disk,
    reveal: (path: string) => void shown.push(path),
  }
  const sent: PickedPaths[] = []
  const upload = async (picked: PickedPaths) => {
    sent.push(picked)
    return { transferId: 't' }
  }
  const rooms = { copies: at.copies, copyPlans: at.plans, transfers: { upload } }
  const calls = copiesHandlers({ ...rooms, ports: { systemFiles } })
  const server = at.server(serverId)
  expect((await calls['copies.choose-folder'](server)).folder.path).toBe(join(disk, 'Wheelhouse copies'))
  const [made] = (await at.copy(serverId)).copies
  const copy = { ...server, id: made?.id ?? '' }
  await calls['copies.reveal'](copy)
  expect(shown).toEqual([await at.pathOf(serverId, 0)])
  await calls['copies.send']({ ...copy, importId: 'i1' })
  expect(sent).toEqual([
    {
      to: { connectionId: 'local', serverId: 'i1', folder: '' },
      files: [{ path: 'World', file: shown[0] }],
      folders: [],
    },
  ])
  await expect(calls['copies.reveal']({ ...copy, id: '2020-01-01 00.00.00' })).rejects.toMatchObject({
    problem: { code: 'not-found' },
  })
  const inBrowser = copiesHandlers({ ...rooms, ports: { systemFiles: null } })
  await expect(inBrowser['copies.choose-folder'](server)).rejects.toMatchObject({
    problem: { code: 'unavailable' },
  })
})
