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
async function openKept(folder: string, clock = heldClock()) {
  const { files } = await openTestFiles()
  const said: string[] = []
  const start = () => {
    const drafts = new ImportDrafts(folder, clock)
    const imports = new Imports({
      changes: { isAwaited: () => false },
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
