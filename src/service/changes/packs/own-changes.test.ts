import { rename, rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import type { PackedFile } from '../../../../tests/fixtures/modpack.ts'
import { GAME, openPacks } from './packs.fixture.ts'

/** A pack in two versions, of mods that the catalog knows: those that somebody changes by hand, and one that stays. */
async function openOwn() {
  const it = await openPacks()
  const mod = async (name: string, clientOnly = false) => {
    const jars = ['1', '2', '3'].map((version) => pluginJar({ name, version, form: 'fabric' }))
    const versions = (await Promise.all(jars)).map((jar, at) => ({ name: String(at + 1), jar }))
    return it.catalogs.offer({
      ...{ catalog: 'modrinth', name, games: [GAME], loaders: ['fabric'], clientOnly, versions },
    })
  }
  const [lithium, krypton, ferrite] = [await mod('Lithium'), await mod('Krypton'), await mod('Ferrite')]
  const file = ({ name, versions }: typeof lithium, at: number, env?: PackedFile['env']): PackedFile => {
    const { jar, url } = versions[at]!
    return { path: `mods/${name.toLowerCase()}-${at + 1}.jar`, bytes: jar, url, ...(env && { env }) }
  }
  const all = [lithium, krypton, ferrite]
  const pack = await it.offer(
    ['1.0', '2.0'].map((version, at) => ({
      version,
      files: all.map((one) => file(one, at)),
      within: { 'overrides/config/a.toml': `a = ${at + 1}\n` },
    })),
  )
  const [one, two] = pack.versions.map(({ id }) => id) as [string, string]
  const plan = async (id: string, versionId: string) =>
    (await it.ask(`GET /servers/modpacks/plan/${id}?versionId=${versionId}`)).body
  const names = async (id: string) => Object.keys(await it.all(id)).sort()
  return { ...it, lithium, mod, modFile: file, one, two, plan, names }
}

/** A server of the first version, on which somebody has updated, removed, changed and added something by hand. */
async function openChanged() {
  const it = await openOwn()
  const { id } = (await it.create(it.one)).body as { id: string }
  await it.reaches(id, 'offline')
  await rm(it.at(id, 'mods/lithium-1.jar'))
  await it.put(id, 'mods/lithium-newer.jar', it.lithium.versions[2]!.jar)
  await rm(it.at(id, 'mods/krypton-1.jar'))
  await it.put(id, 'mods/mine.jar', await pluginJar({ name: 'Mine', version: '1', form: 'fabric' }))
  await it.put(id, 'config/a.toml', 'a = mine\n')
  return { ...it, id, before: await it.all(id) }
}

it('mods that somebody has updated, removed or added by hand are named before an update, and stay so', async () => {
  const { id, two, plan, install, reaches, names, all, packOf, undo, before } = await openChanged()
  const foreseen = await plan(id, two)
  expect(foreseen.yours).toEqual([
    { path: 'mods/lithium-newer.jar', kind: 'updated', theirs: 'mods/lithium-2.jar' },
    { path: 'mods/krypton-2.jar', kind: 'removed' },
    { path: 'config/a.toml', kind: 'changed' },
    { path: 'mods/mine.jar', kind: 'added' },
  ])
  expect(foreseen).toMatchObject({ added: ['mods/ferrite-2.jar'], removed: ['mods/ferrite-1.jar'] })
  await install(id, { versionId: two })
  await reaches(id, 'offline')
  const kept = ['config/a.toml', 'mods/ferrite-2.jar', 'mods/lithium-newer.jar', 'mods/mine.jar']
  expect(await names(id)).toEqual(kept)
  expect((await all(id))['config/a.toml']).toBe('a = mine\n')
  expect((await packOf(id)).pack.kept).toEqual(
    expect.arrayContaining(['mods/lithium-newer.jar', 'mods/krypton-2.jar', 'config/a.toml']),
  )
  // With the next one as well.
  expect((await plan(id, two)).yours.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...['updated', 'removed', 'changed', 'added'],
  ])
  await undo(id)
  expect(await all(id)).toEqual(before)
})

it('the list for players names what the server really has: another version, and nothing that was removed or turned off', async () => {
  const { ask, id, at } = await openChanged()
  const items = async () =>
    (await ask(`GET /servers/modpacks/players/${id}`)).body.items.map(
      ({ name, version, file }: Record<string, string>) => [name, version, file],
    )
  expect(await items()).toEqual([
    ['Lithium', '3', 'lithium-newer.jar'],
    ['Ferrite', '1', 'ferrite-1.jar'],
  ])
  await rename(at(id, 'mods/ferrite-1.jar'), at(id, 'mods/ferrite-1.jar.disabled'))
  expect(await items()).toEqual([['Lithium', '3', 'lithium-newer.jar']])
})

it('what somebody has done by hand is replaced by what the pack has where that is chosen, and comes back in one step', async () => {
  const { id, two, install, reaches, names, all, undo, before, plan } = await openChanged()
  const overwrite = ['mods/lithium-newer.jar', 'mods/krypton-2.jar', 'config/a.toml']
  expect((await install(id, { versionId: two, overwrite })).status).toBe(202)
  await reaches(id, 'offline')
  const mods = ['ferrite-2', 'krypton-2', 'lithium-2', 'mine'].map((name) => `mods/${name}.jar`)
  expect(await names(id)).toEqual(['config/a.toml', ...mods])
  expect((await all(id))['config/a.toml']).toBe('a = 2\n')
  expect((await plan(id, two)).yours).toEqual([{ path: 'mods/mine.jar', kind: 'added' }])
  expect((await undo(id)).status).toBe(202)
  expect(await all(id)).toEqual(before)
})

it('what is for players alone is named with who says so, and is installed where that is chosen, also by the next version', async () => {
  const { offer, mod, modFile, lithium, ask, create, install, reaches, names, plan } = await openOwn()
  const shaders = modFile(lithium, 2, { client: 'required', server: 'unsupported' })
  const sodium = await mod('Sodium', true)
  const { versions } = await offer([{ files: [shaders, modFile(sodium, 0)] }], 'Pretty')
  const versionId = versions[0]!.id
  const told = (taken: boolean) => [
    { path: 'mods/lithium-3.jar', name: 'Lithium', reason: 'pack', taken },
    { path: 'mods/sodium-1.jar', name: 'Sodium', reason: 'catalog', taken: false },
  ]
  expect((await ask(`GET /modpacks/plan?versionId=${versionId}`)).body.clientFiles).toEqual(told(false))
  const take = ['mods/lithium-3.jar']
  const { id } = (await create(versionId, { take, leaveOut: ['mods/sodium-1.jar'] })).body
  await reaches(id, 'offline')
  expect(await names(id)).toEqual(take)
  expect((await plan(id, versionId)).clientFiles).toEqual(told(true))
  await install(id, { versionId })
  await reaches(id, 'offline')
  expect(await names(id)).toEqual(take)
  await install(id, { versionId, take: [] })
  await reaches(id, 'offline')
  expect(await names(id)).toEqual([])
})

it('a mod that was left out by its own word is named afterwards, and is installed where that is chosen', async () => {
  const { offer, file, server, create, install, reaches, names, plan } = await openOwn()
  const about = JSON.stringify({ schemaVersion: 1, id: 'looks', version: '1', environment: 'client' })
  const bytes = await pluginJar({ name: 'looks', version: '1', files: { 'fabric.mod.json': about } })
  const { url } = file('mods/looks.jar', '')
  server.put(new URL(url).pathname, bytes)
  const { versions } = await offer([{ files: [{ path: 'mods/looks.jar', bytes, url }] }], 'Pretty')
  const versionId = versions[0]!.id
  const { id } = (await create(versionId)).body
  await reaches(id, 'offline')
  expect(await names(id)).toEqual([])
  const named = { path: 'mods/looks.jar', name: 'looks.jar', reason: 'mod', taken: false }
  expect((await plan(id, versionId)).clientFiles).toEqual([named])
  await install(id, { versionId, take: ['mods/looks.jar'] })
  await reaches(id, 'offline')
  expect(await names(id)).toEqual(['mods/looks.jar'])
  expect((await plan(id, versionId)).clientFiles).toEqual([{ ...named, taken: true }])
})

it('modpacks are found that have a version for a version of the game and a loader', async () => {
  const { catalogs, ask } = await openPacks()
  for (const [name, game, loader] of [
    ['Old Forge', '1.16.5', 'forge'],
    ['New Forge', GAME, 'forge'],
    ['New Fabric', GAME, 'fabric'],
  ] as const)
    await catalogs.offer({
      ...{ catalog: 'modrinth', name, games: [game], loaders: [loader], isPack: true, versions: [] },
    })
  const found = async (filter: string) => {
    const { items } = (await ask(`GET /modpacks/search?query=${filter}`)).body
    return items.map(({ name }: { name: string }) => name).sort()
  }
  expect(await found('')).toEqual(['New Fabric', 'New Forge', 'Old Forge'])
  expect(await found(`&minecraft=${GAME}`)).toEqual(['New Fabric', 'New Forge'])
  expect(await found('&software=forge')).toEqual(['New Forge', 'Old Forge'])
  expect(await found(`&minecraft=${GAME}&software=forge`)).toEqual(['New Forge'])
})
