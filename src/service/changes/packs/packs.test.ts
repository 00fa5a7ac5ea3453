import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makePack } from '../../../../tests/fixtures/modpack.ts'
import { GAME, LOADER, openPacks, openSent } from './packs.fixture.ts'

const CLIENT = { client: 'required', server: 'unsupported' }
const SERVER = { client: 'unsupported', server: 'required' }
const EITHER = { client: 'optional', server: 'optional' }

/** Two versions of a pack: what changes between them are mods and settings. */
async function openTwo() {
  const it = await openPacks()
  const [lithium, newer] = [
    it.file('mods/lithium-1.jar', 'lithium 1'),
    it.file('mods/lithium-2.jar', 'lithium 2'),
  ]
  const shaders = it.file('mods/shaders.jar', 'for eyes', CLIENT)
  const map = it.file('mods/map.jar', 'a map', EITHER)
  const chunks = it.file('mods/chunks.jar', 'for servers', SERVER)
  const pack = await it.offer([
    {
      version: '1.0',
      files: [lithium, shaders, map, chunks],
      within: {
        'overrides/config/a.toml': 'a = 1\n',
        'overrides/config/b.toml': 'b = 1\n',
        'overrides/config/old.toml': 'old\n',
        'server-overrides/config/b.toml': 'b = 2\n',
        'overrides/ops.json': '[{"name":"Mallory"}]',
        'client-overrides/options.txt': 'fov:70',
      },
    },
    {
      version: '2.0',
      files: [newer, shaders, map],
      within: { 'overrides/config/a.toml': 'a = 2\n', 'overrides/config/b.toml': 'b = 3\n' },
    },
  ])
  const [one, two] = pack.versions.map(({ id }) => id) as [string, string]
  return { ...it, pack, one, two }
}

it('a server is created from a pack: the very loader, what is for servers, and the overrides of servers last', async () => {
  const { ask, pack, one, create, reaches, all, packOf, said } = await openTwo()
  const found = (await ask('GET /modpacks/search?query=cozy')).body.items
  expect(found).toMatchObject([{ id: pack.id, name: 'Cozy Pack', hasIcon: true }])
  const versions = (await ask(`GET /modpacks/versions?project=${pack.id}`)).body.items
  expect(versions.map(({ name }: { name: string }) => name)).toEqual(['2.0', '1.0'])
  expect((await ask(`GET /modpacks/plan?versionId=${one}`)).body).toMatchObject({
    ...{ name: 'Cozy Pack', version: '1.0', files: 3, overrides: 3, clientOnly: 1 },
    software: { id: 'fabric', name: 'Fabric', version: GAME, build: LOADER },
    license: { name: 'Minecraft EULA' },
    optional: [{ path: 'mods/map.jar', name: 'map.jar' }],
    refused: ['ops.json'],
  })

  expect((await create(one, { acceptLicense: false })).body.error.code).toBe('software.license')
  const made = await create(one)
  expect(made.status).toBe(201)
  const { id } = made.body
  await reaches(id, 'offline')
  expect((await said(id)).slice(-1)).toEqual(['The modpack Cozy Pack 1.0 is installed.'])
  expect(await all(id)).toEqual({
    'mods/lithium-1.jar': 'lithium 1',
    'mods/map.jar': 'a map',
    'mods/chunks.jar': 'for servers',
    'config/a.toml': 'a = 1\n',
    'config/b.toml': 'b = 2\n',
    'config/old.toml': 'old\n',
  })
  expect(await packOf(id)).toMatchObject({
    pack: { name: 'Cozy Pack', version: '1.0', project: pack.id, versionId: one, undoable: false },
    wanted: null,
  })
  expect((await ask(`GET /servers/software/${id}`)).body).toMatchObject({ build: LOADER, copy: null })
})

it('an update takes what nobody has changed, keeps what somebody has, tells both, and is undone in one step', async () => {
  const { ask, one, two, create, reaches, all, packOf, install, undo, put } = await openTwo()
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  await put(id, 'config/b.toml', 'b = mine\n')
  await put(id, 'mods/own.jar', 'my own')
  await put(id, 'world/level.dat', 'a world')
  const before = await all(id)
  expect((await ask(`GET /servers/modpacks/updates/${id}`)).body.update).toMatchObject({
    id: two,
    name: '2.0',
  })
  const plan = (await ask(`GET /servers/modpacks/plan/${id}?versionId=${two}`)).body
  const told = {
    kept: ['config/b.toml'],
    replaced: ['config/a.toml'],
    removed: ['mods/lithium-1.jar', 'mods/chunks.jar', 'config/old.toml'],
  }
  expect(plan).toMatchObject({
    added: ['mods/lithium-2.jar'],
    kept: told.kept,
    replaced: told.replaced,
    removed: expect.toSatisfy(
      (names: string[]) => names.toSorted().join() === told.removed.toSorted().join(),
    ),
  })
  expect((await install(id, { versionId: two })).status).toBe(202)
  await reaches(id, 'offline')
  expect(await all(id)).toEqual({
    'mods/lithium-2.jar': 'lithium 2',
    'mods/map.jar': 'a map',
    'mods/own.jar': 'my own',
    'config/a.toml': 'a = 2\n',
    'config/b.toml': 'b = mine\n',
    'world/level.dat': 'a world',
  })
  expect((await packOf(id)).pack).toMatchObject({
    ...{ version: '2.0', undoable: true, kept: told.kept, replaced: told.replaced },
  })
  expect((await ask(`GET /servers/modpacks/updates/${id}`)).body.update).toBeNull()

  expect((await undo(id)).status).toBe(202)
  expect(await all(id)).toEqual(before)
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0', versionId: one })
})

it('what an update leaves as it is and is for another version is named; what the pack itself brings is not', async () => {
  const { ask, one, two, create, reaches, put } = await openTwo()
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  const mod = (name: string) => pluginJar({ name, version: '1', form: 'fabric', minecraft: '1.19.2' })
  await put(id, 'mods/own.jar', await mod('My own'))
  // The pack has something else for this place.
  await put(id, 'mods/lithium-2.jar', await mod('Lithium'))
  const plan = (await ask(`GET /servers/modpacks/plan/${id}?versionId=${two}`)).body
  const problems = [{ kind: 'wrong-version', name: 'minecraft', wants: '1.19.2' }]
  expect(plan.replaced).toContain('mods/lithium-2.jar')
  expect(plan.items).toEqual([
    { kind: 'mods-unfit', count: 1, extensions: [{ name: 'My own', version: '1', problems }] },
  ])
})

it('what was left out, turned off or removed stays so over an update', async () => {
  const { one, two, create, reaches, all, install, at } = await openTwo()
  const { id } = (await create(one, { leaveOut: ['mods/map.jar'] })).body
  await reaches(id, 'offline')
  expect(existsSync(at(id, 'mods/map.jar'))).toBe(false)
  const { rename, rm } = await import('node:fs/promises')
  await rename(at(id, 'mods/lithium-1.jar'), at(id, 'mods/lithium-1.jar.disabled'))
  await rm(at(id, 'config/a.toml'))
  await install(id, { versionId: two })
  await reaches(id, 'offline')
  const names = Object.keys(await all(id)).sort()
  // It was removed in the form of before, and there is a newer one.
  expect(names).toEqual(['config/a.toml', 'config/b.toml', 'mods/lithium-2.jar.disabled'])
})

it('what a reset took of a pack comes again with it, and what somebody removed before does not', async () => {
  const { ask, one, create, reaches, all, install, at, packOf, undo } = await openTwo()
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  const whole = await all(id)
  const { rm } = await import('node:fs/promises')
  await rm(at(id, 'config/old.toml'))
  const before = await all(id)
  expect((await ask(`POST /servers/reset/${id}`, { keep: ['config'] })).status).toBe(202)
  await reaches(id, 'offline')
  expect(Object.keys(await all(id)).sort()).toEqual(['config/a.toml', 'config/b.toml'])
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0', undoable: false })
  expect((await undo(id)).status).toBe(202)
  expect(await all(id)).toEqual(before)
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0', files: Object.keys(whole).length })

  await ask(`POST /servers/reset/${id}`, { keep: ['config'] })
  await reaches(id, 'offline')
  await install(id, { versionId: one })
  await reaches(id, 'offline')
  expect(await all(id)).toEqual(before)
})

it('a copy of a server with a pack has that pack too, and is updated without the other one', async () => {
  const { ask, one, two, create, reaches, all, install, packOf, put } = await openTwo()
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  await put(id, 'config/b.toml', 'b = mine\n')
  const before = await all(id)
  const made = (await ask(`POST /servers/duplicate/${id}`, { name: 'Second' })).body.id
  expect(await packOf(made)).toEqual(await packOf(id))
  expect((await ask(`GET /servers/modpacks/updates/${made}`)).body.update).toMatchObject({ id: two })
  await install(made, { versionId: two })
  await reaches(made, 'offline')
  expect(await all(made)).toEqual({
    'mods/lithium-2.jar': 'lithium 2',
    'mods/map.jar': 'a map',
    'config/a.toml': 'a = 2\n',
    'config/b.toml': 'b = mine\n',
  })
  expect((await packOf(id)).pack).toMatchObject({ version: '1.0' })
  expect(await all(id)).toEqual(before)
})

it('a copy of a server that waits for its pack waits for it, too', async () => {
  const { ask, server, one, create, reaches, packOf } = await openTwo()
  const end = server.fail('/modrinth/data/P13x', { kind: 'status', status: 404 })
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  end()
  const made = (await ask(`POST /servers/duplicate/${id}`, { name: 'Second' })).body.id
  expect(await packOf(made)).toEqual(await packOf(id))
  expect((await packOf(made)).wanted).toMatchObject({ versionId: one })
})

it('a pack from a file of the server is installed where something else was, and leads back', async () => {
  const { ask, create, one, reaches, all, put, install, file, packOf, undo } = await openTwo()
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  const own = file('mods/other.jar', 'another')
  await put(id, 'packs/own.mrpack', await makePack({ name: 'Own', version: '7', files: [own] }))
  const before = await all(id)
  expect((await install(id, { path: 'packs/own.mrpack', versionId: one })).body.error.code).toBe(
    'modpacks.one-wish',
  )
  expect((await install(id, { path: 'config/a.toml' })).body.error.code).toBe('modpacks.broken')
  expect((await install(id, { path: 'gone.mrpack' })).status).toBe(404)
  expect((await install(id, { path: 'packs/own.mrpack' })).status).toBe(202)
  await reaches(id, 'offline')
  expect((await packOf(id)).pack).toMatchObject({ name: 'Own', version: '7', project: null })
  expect(Object.keys(await all(id)).sort()).toEqual(['mods/other.jar', 'packs/own.mrpack'])
  await undo(id)
  expect(await all(id)).toEqual(before)
  expect((await ask(`GET /servers/modpacks/updates/${id}`)).body.update).toMatchObject({ name: '2.0' })
})

it('a server is created from a pack that somebody sends, and the file goes with that', async () => {
  const { ask, send, createFrom, install, reaches, all, packOf, isKept, what } = await openSent()
  const sent = await send()
  const { body: plan } = await ask(`GET /modpacks/plan?importId=${sent.importId}&path=${sent.path}`)
  expect(plan).toMatchObject({ name: 'Cozy Pack', files: 1, software: { id: 'fabric' } })
  const { status, body } = await createFrom(sent)
  expect(status).toBe(201)
  await reaches(body.id, 'offline')
  expect(await all(body.id)).toEqual(what)
  expect(await packOf(body.id)).toMatchObject({ pack: { name: 'Cozy Pack', versionId: null }, wanted: null })
  await expect.poll(() => isKept(sent)).toBe(false)
  expect((await createFrom(sent)).body.error.code).toBe('imports.not-found')

  const again = await send()
  expect((await install(body.id, again)).status).toBe(202)
  await reaches(body.id, 'offline')
  await expect.poll(() => isKept(again)).toBe(false)
  expect(await all(body.id)).toEqual(what)
})

it('a pack that was sent is kept as long as its server waits for it, over a restart too', async () => {
  const { server, send, createFrom, reaches, all, packOf, isKept, what, restart } = await openSent()
  const end = server.fail('/modrinth/data/P8x', { kind: 'status', status: 404 })
  const sent = await send()
  const { id } = (await createFrom(sent)).body
  await reaches(id, 'offline')
  expect(await packOf(id)).toMatchObject({
    pack: null,
    wanted: { name: 'Cozy Pack', versionId: null },
  })
  expect(await isKept(sent)).toBe(true)
  end()
  await restart()
  await expect.poll(async () => (await packOf(id)).wanted, { timeout: 10_000 }).toBeNull()
  expect(await all(id)).toEqual(what)
  await expect.poll(() => isKept(sent)).toBe(false)
})

it('what somebody else has sent is no pack for others, and a path without it is none for a new server', async () => {
  const { ask, send, stranger, createFrom, isKept } = await openSent()
  const sent = await send()
  const { importId, path } = sent
  const other = await stranger()
  const plan = `GET /modpacks/plan?path=${path}`
  const wish = { name: 'Theirs', memoryMb: 512, acceptLicense: true }
  const fabric = { software: { id: 'fabric', version: GAME } }
  const theirs = (await other('POST /servers', { ...wish, ...fabric })).body.id as string
  const status = async () => (await other(`GET /servers/status/${theirs}`)).body.status
  await expect.poll(status, { interval: 20, timeout: 20_000 }).toBe('offline')
  for (const [route, body] of [
    [`${plan}&importId=${importId}`],
    ['POST /modpacks', { ...wish, ...sent }],
    [`GET /servers/modpacks/plan/${theirs}?path=${path}&importId=${importId}`],
    [`POST /servers/modpacks/${theirs}`, sent],
  ] as const)
    expect.soft((await other(route, body)).body.error?.code, route).toBe('imports.not-found')
  expect((await other('GET /servers')).body.items).toHaveLength(1)
  expect(await isKept(sent)).toBe(true)
  expect((await ask(plan)).body.error.code).toBe('modpacks.one-wish')
  expect((await ask(`GET /modpacks/plan?importId=${importId}`)).body.error.code).toBe('modpacks.one-wish')
  expect((await createFrom({ importId, path: '../a.mrpack' })).status).toBe(422)
})

it('the list for the players names what they need, also what is for them alone', async () => {
  const { ask, create, one, reaches, file, catalogs, offer } = await openTwo()
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  const list = (await ask(`GET /servers/modpacks/players/${id}`)).body
  expect(list).toMatchObject({
    name: 'Cozy Pack',
    version: '1.0',
    minecraft: GAME,
    loader: `Fabric ${LOADER}`,
  })
  expect(list.items).toMatchObject([
    // What only the service reaches is no address for players.
    { name: 'lithium-1.jar', optional: false, url: null },
    { name: 'shaders.jar', optional: false },
    { name: 'map.jar', optional: true },
  ])
  // What the catalog knows has the name that people know.
  const bytes = Buffer.from('known')
  const sodium = await catalogs.offer({
    ...{ catalog: 'modrinth', name: 'Sodium', loaders: ['fabric'], versions: [{ name: '5', jar: bytes }] },
  })
  const known = { ...file('mods/s.jar', 'known', CLIENT), url: sodium.versions[0]!.url }
  const other = await offer([{ files: [known] }], 'Other')
  const second = (await create(other.versions[0]!.id)).body
  await reaches(second.id, 'offline')
  expect((await ask(`GET /servers/modpacks/players/${second.id}`)).body.items).toMatchObject([
    { name: 'Sodium', version: '5', url: expect.stringContaining('https://modrinth.com/project/') },
  ])
})

it('a mod that only its own jar says to be for players is left out, and named', async () => {
  const { server, file, offer, create, reaches, all, said } = await openPacks()
  const mod = async (name: string, environment: string) => {
    const about = JSON.stringify({ schemaVersion: 1, id: name, version: '1', environment })
    const packed = file(`mods/${name}.jar`, '')
    const bytes = await pluginJar({ name, version: '1', files: { 'fabric.mod.json': about } })
    return { ...packed, bytes, url: server.put(new URL(packed.url).pathname, bytes) }
  }
  const files = [await mod('looks', 'client'), await mod('rules', '*')]
  const pack = await offer([{ version: '1.0', files }])
  const { id } = (await create(pack.versions[0]!.id)).body
  await reaches(id, 'offline')
  expect(Object.keys(await all(id))).toEqual(['mods/rules.jar'])
  expect(await said(id)).toContainEqual(
    "1 mod was left out, since it says that it is only for players' games: looks.jar.",
  )
})
