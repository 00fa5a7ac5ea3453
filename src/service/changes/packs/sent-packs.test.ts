import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { NO_DISK } from '../../../../tests/faults/small-disk.ts'
import { makePack } from '../../../../tests/fixtures/modpack.ts'
import { smallDisk } from '../../small-disk.fixture.ts'
import { openPacks, openSent, openWithoutCatalogs } from './packs.fixture.ts'

/** A server whose pack could not be installed, and what ends that. */
async function openWaiting() {
  const it = await openSent()
  const end = it.server.fail('/modrinth/data/P8x', { kind: 'status', status: 404 })
  const sent = await it.send()
  const id = (await it.createFrom(sent)).body.id as string
  await it.reaches(id, 'offline')
  return { ...it, end, sent, id }
}

it('a pack that a server waits for is kept however much else is sent, and cannot be deleted', async () => {
  const { ask, install, end, sent, id, reaches, all, isKept, what } = await openWaiting()
  for (let n = 0; n < 7; n++) expect((await ask('POST /imports')).status).toBe(201)
  expect(await isKept(sent)).toBe(true)
  expect((await ask(`DELETE /imports/${sent.importId}`)).body.error.code).toBe('imports.busy')
  end()
  expect((await install(id, sent)).status).toBe(202)
  await reaches(id, 'offline')
  expect(await all(id)).toEqual(what)
  await expect.poll(() => isKept(sent)).toBe(false)
})

it('a copy of a server that waits for a pack somebody has sent gets it too, whichever is first', async () => {
  const { ask, install, end, sent, id, reaches, all, isKept, what } = await openWaiting()
  const copy = (await ask(`POST /servers/duplicate/${id}`, { name: 'Second' })).body.id
  end()
  for (const one of [copy, id]) {
    expect(await isKept(sent)).toBe(true)
    expect((await install(one, sent)).status).toBe(202)
    await reaches(one, 'offline')
    expect(await all(one)).toEqual(what)
  }
  await expect.poll(() => isKept(sent)).toBe(false)
})

it('a pack whose installation failed can be installed again without sending it once more', async () => {
  const { ask, install, end, send, id, reaches, all, isKept, what } = await openWaiting()
  const other = await send()
  expect((await ask(`PUT /servers/software/${id}`, { id: 'vanilla', version: '1.20.4' })).status).toBe(202)
  await reaches(id, 'offline')
  expect((await install(id, other)).status).toBe(202)
  await reaches(id, 'offline')
  expect(await isKept(other)).toBe(true)
  end()
  expect((await install(id, other)).status).toBe(202)
  await reaches(id, 'offline')
  expect(await all(id)).toEqual(what)
  await expect.poll(() => isKept(other)).toBe(false)
})

it('whoever may change the software tries again, without knowing where the file is that somebody has sent', async () => {
  const { collaborator, end, sent, id, reaches, all, isKept, what } = await openWaiting()
  const asks = await collaborator(id, ['server.read', 'extensions.read', 'software.write'])
  const read = async () => (await asks(`GET /servers/modpacks/${id}`)).body
  const { wanted } = await read()
  expect(wanted).toMatchObject({ name: 'Cozy Pack' })
  expect(Object.keys(wanted)).not.toContain('importId')
  expect(Object.keys(wanted)).not.toContain('path')
  // The file itself is still its sender's alone.
  expect((await asks(`POST /servers/modpacks/${id}`, sent)).body.error.code).toBe('imports.not-found')
  end()
  expect((await asks(`GET /servers/modpacks/plan/${id}`)).body).toMatchObject({ name: 'Cozy Pack', files: 1 })
  expect((await asks(`POST /servers/modpacks/${id}`, {})).status).toBe(202)
  await reaches(id, 'offline')
  expect(await all(id)).toEqual(what)
  expect(await read()).toMatchObject({ pack: { name: 'Cozy Pack' }, wanted: null })
  await expect.poll(() => isKept(sent)).toBe(false)
})

it('who may not change the software does not try again, and a server that waits for nothing says so', async () => {
  const { collaborator, ask, id, install, reaches, packOf } = await openWaiting()
  const asks = await collaborator(id, ['server.read', 'extensions.read'])
  expect((await asks(`POST /servers/modpacks/${id}`, {})).status).toBe(403)
  expect((await ask(`PUT /servers/software/${id}`, { id: 'vanilla', version: '1.20.4' })).status).toBe(202)
  await reaches(id, 'offline')
  expect((await packOf(id)).wanted).toBeNull()
  expect((await install(id, {})).body.error.code).toBe('modpacks.nothing-wanted')
})

it('a service that fetches nothing says so of a pack that needs that, before a server is made', async () => {
  const { ask, upload } = await openWithoutCatalogs()
  // Nor does it take servers in, and what was sent as a pack is none.
  expect((await ask('POST /imports')).body.error.code).toBe('imports.not-offered')
  const begun = await ask('POST /imports?for=modpack')
  expect(begun.status).toBe(201)
  const importId = begun.body.id as string
  expect((await ask(`POST /imports/look/${importId}`, {})).body.error.code).toBe('imports.not-offered')

  const url = 'https://cdn.modrinth.com/data/P1/versions/V1/a.jar'
  const bytes = await makePack({ files: [{ path: 'mods/a.jar', bytes: Buffer.from('a'), url }] })
  await upload(importId, 'Cozy.mrpack', bytes)

  const { body } = await ask(`GET /modpacks/plan?importId=${importId}&path=Cozy.mrpack`)
  expect(body.error).toMatchObject({
    code: 'modpacks.needs-internet',
    message: expect.stringContaining('"Cozy Pack"'),
  })
  const wish = { name: 'Mine', memoryMb: 512, importId, path: 'Cozy.mrpack', acceptLicense: true }
  expect((await ask('POST /modpacks', wish)).body.error.code).toBe('modpacks.needs-internet')
  expect((await ask('GET /servers')).body.items).toEqual([])
  // It was let go of.
  expect((await ask(`DELETE /imports/${importId}`)).status).toBe(204)
})

it('a disk that gets full while a sent pack is installed is said, nothing of it is there, and it is not sent again', async ({
  skip,
}) => {
  const disk = await smallDisk(320)
  if (!disk) return skip(NO_DISK)
  const dataDir = path.join(disk.folder, 'data')
  const { ask, upload, createFrom, reaches, all, said, packOf, leftBeside, install } = await openPacks({
    dataDir,
  })
  const large = Array.from({ length: 10 }, (_, n) => [`overrides/world/${n}.bin`, randomBytes(1024 * 1024)])
  const bytes = await makePack({ name: 'Cozy Pack', files: [], within: Object.fromEntries(large) })
  const sent = { importId: (await ask('POST /imports?for=modpack')).body.id, path: 'Cozy.mrpack' }
  await upload(sent.importId, sent.path, bytes)
  const { id } = (await createFrom(sent)).body
  // Halfway through what comes in the pack.
  const staging = path.join(dataDir, 'staging', id)
  const isHalf = () =>
    existsSync(staging) && readdirSync(staging, { recursive: true }).join().includes('.bin')
  while (!isHalf()) await turn()
  disk.fill()
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toMatch(/^The modpack was not installed, .*Free up space/)
  expect(await all(id)).toEqual({})
  expect(await leftBeside(id)).toEqual([])
  expect(await packOf(id)).toMatchObject({ pack: null, wanted: { name: 'Cozy Pack' } })
  disk.clear()
  expect((await install(id, sent)).status).toBe(202)
  await reaches(id, 'offline')
  expect(Object.keys(await all(id)).sort()).toEqual(large.map((_, n) => `world/${n}.bin`))
})
