import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import pino from 'pino'
import { expect, it } from 'vitest'
import { movedServer, zipOf } from '../../../../tests/fixtures/moved-server.ts'
import { openTestFiles } from '../../files/files.fixture.ts'
import { heldClock, temporaryFolder } from '../../service.fixture.ts'
import { ImportDrafts } from './drafts.ts'
import { Imports } from './imports.ts'
import { folderOf, openImports } from './imports.fixture.ts'

const HOUR = 60 * 60 * 1000

/** Imports of a folder, begun anew as often as a service starts. */
async function openKept(folder: string, clock = heldClock(), isAwaited = (_importId: string) => false) {
  const { files } = await openTestFiles()
  const said: string[] = []
  const start = () => {
    const drafts = new ImportDrafts(folder, clock)
    const imports = new Imports({
      changes: { isAwaited },
      ...{ drafts, clock, files: { of: () => files, forget: () => undefined } },
      log: pino({ base: null }, { write: (line) => void said.push(line) }),
      ...{ breakOff: async () => undefined, freePort: async () => null },
    })
    return { drafts, imports }
  }
  return { clock, said, start }
}

/** What cannot be deleted as a file: as a disk answers that is broken. */
function spoil(folder: string, id: string): void {
  const file = path.join(folder, id, 'import.json')
  rmSync(file)
  mkdirSync(file)
}

it('an import that cannot be deleted is told in the log, and nothing else comes of it', async () => {
  const folder = await temporaryFolder()
  const { clock, said, start } = await openKept(folder)
  const { drafts, imports } = start()
  const { id } = await imports.begin('ann')
  spoil(folder, id)
  clock.forward(25 * HOUR)
  imports.sweep()
  await expect.poll(() => said.join(), { interval: 5 }).toContain('an import could not be deleted')
  expect(drafts.byId(id)).toBeNull()
  await imports.close()
})

it('imports are looked for again later where nobody can tell now whether a server waits for them', async () => {
  let fails = true
  const isAwaited = () => {
    if (fails) throw new Error('the database cannot be read')
    return false
  }
  const { clock, said, start } = await openKept(await temporaryFolder(), heldClock(), isAwaited)
  const { drafts, imports } = start()
  const { id } = await drafts.begin('ann')
  clock.forward(25 * HOUR)
  imports.sweep()
  expect(said.join()).toContain('the database cannot be read')
  expect(drafts.byId(id)).not.toBeNull()
  fails = false
  imports.sweep()
  await expect.poll(() => drafts.byId(id), { interval: 5 }).toBeNull()
  await imports.close()
})

it('a server that was made is answered, though its import cannot be deleted', async () => {
  const { sent, create, folder } = await openImports()
  const { id } = await sent(await zipOf(await movedServer()))
  spoil(path.join(folder, 'imports'), id)
  const { status, body } = await create(id)
  expect(status).toBe(201)
  expect(existsSync(folderOf(folder, body.id, 'server.properties'))).toBe(true)
})

it('an import is kept for a day after somebody last came to it, over restarts too', async () => {
  const folder = await temporaryFolder()
  const { clock, start } = await openKept(folder)
  const { drafts, imports } = start()
  const [left, asked, sentTo] = [
    await imports.begin('ann'),
    await imports.begin('ann'),
    await imports.begin('ann'),
  ]
  clock.forward(23 * HOUR)
  imports.require('ann', asked.id)
  expect(drafts.asServer(sentTo.id)).toMatchObject({ ownerId: 'ann' })
  clock.forward(2 * HOUR)
  imports.sweep()
  await expect.poll(() => readdirSync(folder), { interval: 5 }).not.toContain(left.id)
  await imports.close()

  const later = start()
  expect(later.drafts.ids.sort()).toEqual([asked.id, sentTo.id].sort())
  clock.forward(23 * HOUR)
  later.imports.sweep()
  await expect.poll(() => readdirSync(folder), { interval: 5 }).toEqual([])
  await later.imports.close()
})

it('one more than an account may have ends the one that nobody came to for longest, after a restart too', async () => {
  const folder = await temporaryFolder()
  const { clock, start } = await openKept(folder)
  const before = start()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    clock.forward(2 * HOUR)
    ids.push((await before.imports.begin('ann')).id)
  }
  clock.forward(2 * HOUR)
  before.imports.require('ann', ids[0]!)
  await before.imports.close()
  const { drafts, imports } = start()
  for (const gone of [ids[1]!, ids[2]!]) {
    clock.forward(HOUR)
    await imports.begin('ann')
    expect(drafts.ids).toHaveLength(5)
    expect(drafts.ids).not.toContain(gone)
  }
  expect(drafts.ids).toEqual(expect.arrayContaining([ids[0], ids[3], ids[4]]))
  await imports.close()
})

it('however many are begun at once, no more are kept, and never one ends of which a server is being made', async () => {
  const { start } = await openKept(await temporaryFolder())
  const { drafts, imports } = start()
  const { id } = await imports.begin('ann')
  const made = Promise.withResolvers<string>()
  const concluded = imports.conclude(id, () => made.promise)
  await Promise.all(Array.from({ length: 9 }, () => imports.begin('ann')))
  expect(drafts.byId(id)).not.toBeNull()
  expect(drafts.ids).toHaveLength(5 + 1)
  await expect(imports.conclude(id, async () => 'again')).rejects.toMatchObject({ code: 'imports.busy' })
  made.resolve('server')
  expect(await concluded).toBe('server')
  expect(drafts.byId(id)).toBeNull()
  await imports.close()
})

it('no server is made of files that are being checked again', async () => {
  const { start } = await openKept(await temporaryFolder())
  const { imports } = start()
  const draft = await imports.begin('ann')
  imports.look(draft, null)
  await expect(imports.conclude(draft.id, async () => 'made')).rejects.toMatchObject({
    code: 'imports.busy',
  })
  await imports.close()
})

it('where all imports of an account are in use no other begins, and one does as soon as one of them is let go', async () => {
  const { start } = await openKept(await temporaryFolder())
  const { drafts, imports } = start()
  const letGo: (() => void)[] = []
  for (let n = 0; n < 5; n++) letGo.push(imports.hold((await imports.begin('ann')).id))
  const before = drafts.ids
  await expect(imports.begin('ann')).rejects.toMatchObject({ status: 409, code: 'imports.too-many' })
  expect(drafts.ids).toEqual(before)
  // Those of others do not count.
  await imports.begin('bob')
  letGo[2]!()
  const { id } = await imports.begin('ann')
  expect(
    drafts
      .of('ann')
      .map((one) => one.id)
      .sort(),
  ).toEqual([...before.filter((_, n) => n !== 2), id].sort())
  await imports.close()
})

it('nobody who sends a pack that a server waits for has to come back to it: only the others end after a day', async () => {
  const folder = await temporaryFolder()
  let awaited: string | null = null
  const { clock, start } = await openKept(folder, heldClock(), (id) => id === awaited)
  const { drafts, imports } = start()
  const { id } = await imports.begin('ann')
  await imports.begin('ann')
  awaited = id
  clock.forward(25 * HOUR)
  imports.sweep()
  await expect.poll(() => readdirSync(folder), { interval: 5 }).toEqual([id])
  expect(drafts.ids).toEqual([id])
  awaited = null
  imports.sweep()
  await expect.poll(() => readdirSync(folder), { interval: 5 }).toEqual([])
  await imports.close()
})
