import fs, { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { temporary } from '../../host/temporary.fixture.ts'
import { ServerFiles } from '../files/server-files.ts'
import { heldClock } from '../service.fixture.ts'
import { InstalledRecords } from '../software/installed.ts'
import { openStore } from '../store/store.ts'
import { carryOut } from './carry-out.ts'
import { type CopyRecord, CopyRecords } from './copy-records.ts'
import { reset, settleJournal, swap, type SettleContext } from './settle.ts'

const [OLD, NEW] = ['1.20.4', '1.20.6']
const record = (digit: string, version: string, reason: CopyRecord['reason'] = 'change'): CopyRecord => ({
  ...{ id: `copy-${digit.repeat(36)}`, at: 1, reason, isOwners: false },
  ...{ software: { id: 'paper', version }, installed: null, bytes: null },
})
const COPY = record('a', OLD)
const ASIDE = record('b', NEW, 'undo')

async function openedStore() {
  const store = await openStore(path.join(temporary(), 'service.db'), { clock: heldClock() })
  onTestFinished(() => store.close())
  store.accounts.insert({ id: 'a', email: null, name: 'A', passwordHash: null, confirmedAt: 1, createdAt: 1 })
  const software = { softwareId: 'paper', softwareVersion: NEW }
  store.servers.insert({
    id: 's',
    ownerId: 'a',
    name: 'S',
    ...software,
    memoryMb: 512,
    port: 1,
    createdAt: 1,
  })
  return store
}

/** A server of the newer version, and the copy of the older one. */
function prepared(store: Awaited<ReturnType<typeof openedStore>>) {
  const folder = temporary()
  const at = (...names: string[]) => path.join(folder, ...names)
  const put = (text: string, ...names: string[]) => {
    mkdirSync(path.dirname(at(...names)), { recursive: true })
    writeFileSync(at(...names), text)
  }
  for (const name of ['world/region', 'server.jar', 'ops.json']) {
    put(`new ${name}`, 'root', name)
    put(`old ${name}`, 'copies', COPY.id, name)
  }
  put('new', 'root', 'only-new.txt')
  put('old', 'copies', COPY.id, 'only-old.txt')
  put('a log', 'root', 'logs/latest.log')
  store.servers.setSoftware('s', { id: 'paper', version: NEW })
  const limits = { maxFileBytes: null, quotaBytes: null, running: () => false }
  const files = new ServerFiles({ serverId: 's', root: at('root'), staging: at('staging'), trash: at('trash'), ...limits }) // prettier-ignore
  const copies = new CopyRecords(at('copies'))
  copies.list = [COPY]
  const settling: SettleContext = {
    ...{ serverId: 's', copies, files, store, records: new InstalledRecords(at('installed')) },
    ...{ changed: () => undefined, log: pino({ level: 'silent' }) },
  }
  /** What the server is, and what leads back. */
  const all = () => ({
    version: store.servers.byId('s')?.softwareVersion,
    files: filesIn(at('root')),
    copy: copies.list.map((copy) => [copy.id, filesIn(copies.at(copy))]),
    journal: copies.journal,
  })
  return { settling, copies, all }
}

function filesIn(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const names = found.map((one) => path.relative(folder, path.join(one.parentPath, one.name))).sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

/** The move of this number fails, then so many do not, and then all fail. Answers how that is mended, and how often it failed. */
function failing(at: number, well: number) {
  const { renameSync, linkSync } = fs
  let [count, failed] = [0, 0]
  const breaking =
    (real: typeof renameSync): typeof renameSync =>
    (...given) => {
      count++
      if (count < at || (count > at && count <= at + well)) return real(...given)
      failed++
      throw Object.assign(new Error('the disk fails'), { code: 'EIO' })
    }
  Object.assign(fs, { renameSync: breaking(renameSync), linkSync: breaking(linkSync) })
  syncBuiltinESMExports()
  const mend = () => {
    Object.assign(fs, { renameSync, linkSync })
    syncBuiltinESMExports()
    return failed
  }
  onTestFinished(() => void mend())
  return mend
}

const acts = {
  'going back': ({ settling }: ReturnType<typeof prepared>) => swap(settling, COPY, ASIDE),
  'a reset': ({ settling }: ReturnType<typeof prepared>) =>
    reset(settling, COPY, ['world', 'ops.json', 'only-new.txt']),
}

it.each(Object.entries(acts).flatMap(([name, act]) => [0, 2, 3].map((well) => [name, well, act] as const)))(
  'wherever the disk fails during %s, and again %d moves later, all is as before or as after once it is settled',
  async (_, well, act) => {
    const store = await openedStore()
    const whole = prepared(store)
    const before = whole.all()
    act(whole)
    const after = whole.all()
    const seen = { taken: 0, finished: 0, open: 0 }
    for (let from = 1; ; from++) {
      const it = prepared(store)
      const mend = failing(from, well)
      let error: unknown = null
      try {
        act(it)
      } catch (thrown) {
        error = thrown
      }
      if (mend() === 0) break
      if (it.copies.isOpen) seen.open++
      // Nobody is told that all is as before where that is not so.
      else expect(it.all(), `failed at ${from}`).toEqual(error ? before : after)
      settleJournal(it.settling)
      const now = it.all()
      expect([before, after], `failed at ${from}`).toContainEqual(now)
      if (now.version === after.version && JSON.stringify(now.files) === JSON.stringify(after.files))
        seen.finished++
      else seen.taken++
      rmSync(path.dirname(it.copies.folder), { recursive: true, force: true })
    }
    expect(seen.taken).toBeGreaterThan(0)
    expect(seen.open).toBeGreaterThan(0)
  },
)

it.each([0, 2, 3])(
  'wherever a change can be neither done nor taken back, and again %d moves later, nobody is told that all is as before',
  async (well) => {
    const store = await openedStore()
    const seen = { back: 0, open: 0 }
    for (let from = 1; ; from++) {
      const { settling, copies, all } = prepared(store)
      const copy = record('c', NEW)
      cpSync(settling.files.root, copies.at(copy), { recursive: true })
      const before = all()
      let mend = () => 0
      const place = () => {
        mend = failing(from, well)
        throw new Error('something is in the way')
      }
      const ready = { copy, isFromNothing: false, to: { id: 'paper', version: '1.21' }, license: null }
      const touched = { requireUnchanged: () => undefined }
      const act = () =>
        carryOut(settling, { ...ready, brought: null, touched, moves: [], place, aside: () => ASIDE })
      expect(act).toThrow()
      const failed = mend()
      if (copies.isOpen) seen.open++
      else expect({ ...all(), copy: null }, `failed at ${from}`).toEqual({ ...before, copy: null })
      settleJournal(settling)
      const now = all()
      expect({ files: now.files, journal: now.journal }).toEqual({ files: before.files, journal: null })
      // Done with the way back, or not done.
      if (now.version === NEW) seen.back++
      else expect([now.version, now.copy[0]?.[0]], `failed at ${from}`).toEqual(['1.21', copy.id])
      if (failed === 0) break
    }
    expect(seen.back).toBeGreaterThan(0)
    expect(seen.open).toBeGreaterThan(0)
  },
)

it('what was saved while the copy for a reset was made is what comes back', async () => {
  const { settling, all } = prepared(await openedStore())
  reset(settling, COPY, ['world'])
  expect(all()).toMatchObject({
    files: { 'server.jar': 'new server.jar' },
    // The original of what was removed, and the copy of what was not.
    copy: [[COPY.id, { 'world/region': 'new world/region', 'server.jar': 'old server.jar' }]],
    journal: null,
  })
  expect(Object.keys(all().files)).not.toContain('world/region')
})

it('what an earlier version left half done is finished, and its one copy leads back', async () => {
  const store = await openedStore()
  const write = (folder: string, name: string, value: object) =>
    writeFileSync(path.join(folder, name), JSON.stringify(value))
  for (const [act, journal, moved] of [
    [acts['going back'], { kind: 'undo', copy: COPY, aside: ASIDE, left: ['logs'], phase: 'out' }, 'world'],
    [acts['a reset'], { kind: 'reset', copy: COPY, remove: ['world', 'ops.json', 'only-new.txt'] }, null],
  ] as const) {
    const whole = prepared(store)
    act(whole)
    const after = whole.all()
    const it = prepared(store)
    const { folder } = it.copies
    write(folder, 'current.json', COPY)
    expect(it.copies.list).toEqual([COPY])
    write(folder, 'journal.json', journal)
    mkdirSync(it.copies.at(ASIDE))
    const [root, aside] = [it.settling.files.root, it.copies.at(ASIDE)]
    if (moved !== null) renameSync(path.join(root, moved), path.join(aside, moved))
    settleJournal(it.settling)
    expect(it.all()).toEqual(after)
  }
  const { settling, copies, all } = prepared(store)
  mkdirSync(copies.at(ASIDE))
  for (const name of readdirSync(settling.files.root).filter((one) => one !== 'logs'))
    renameSync(path.join(settling.files.root, name), path.join(copies.at(ASIDE), name))
  renameSync(path.join(copies.at(COPY), 'world'), path.join(settling.files.root, 'world'))
  const journal = { kind: 'undo', copy: COPY, aside: ASIDE, left: ['logs'], phase: 'in' }
  write(copies.folder, 'journal.json', journal)
  settleJournal(settling)
  expect(all()).toMatchObject({
    files: { 'world/region': 'old world/region', 'ops.json': 'old ops.json', 'only-old.txt': 'old' },
    copy: [[ASIDE.id, { 'only-new.txt': 'new', 'server.jar': 'new server.jar' }]],
    journal: null,
  })
})

it('while something is open, or what counts cannot be read, nothing is swept', () => {
  const copies = new CopyRecords(path.join(temporary(), 'copies'))
  copies.list = [COPY]
  mkdirSync(copies.at(COPY))
  mkdirSync(path.join(copies.folder, 'copy-of-nobody'))
  expect(copies.leftovers()).toEqual(['copy-of-nobody'])
  copies.journal = { kind: 'change', copy: COPY, to: { id: 'paper', version: NEW } }
  expect(copies.leftovers()).toEqual([])
  copies.journal = null
  writeFileSync(path.join(copies.folder, 'current.json'), '{"id":"copy-')
  expect(copies.leftovers()).toEqual([])
})
