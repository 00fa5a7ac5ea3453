import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { NO_DISK } from '../../../../tests/faults/small-disk.ts'
import { offerFill, offerPurpur } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { ExtensionCatalogs } from '../../../../tests/doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { javaServerJar, type JavaServerKind } from '../../../../tests/doubles/java-server.ts'
import { smallDisk } from '../../small-disk.fixture.ts'
import { openPaper, openService, ofServer, VERSION } from './extensions.fixture.ts'

const games = [VERSION]
const serverJar = async (kind: JavaServerKind) =>
  readFile(await javaServerJar({ kind, version: VERSION, build: '499' }))

const versions = (list: { name: string; version: string }[]) =>
  list.map(({ name, version }) => `${name} ${version}`)

it.each(['purpur', 'folia'] as const)(
  'on a %s server a plugin of Hangar is found, installed, loaded, and updated by its next start',
  async (kind) => {
    const it = await openService()
    const jar = await serverJar(kind)
    if (kind === 'purpur') offerPurpur(it.catalogs, [{ id: VERSION, builds: [{ build: '1', jar }] }])
    else offerFill(it.catalogs, kind, [{ id: VERSION, java: 17, builds: [{ id: 1, jar }] }])
    const catalogs = new ExtensionCatalogs(it.catalogs)
    const lampJar = (version: string) =>
      pluginJar({
        ...{ name: 'Lamp', version },
        files: { 'plugin.yml': `name: Lamp\nversion: ${version}\nmain: a.B\nfolia-supported: true\n` },
      })
    const jars = await Promise.all(['1.0', '1.1'].map(lampJar))
    const lamp = await catalogs.offer({
      ...{ catalog: 'hangar', name: 'Lamp', games, loaders: ['paper', 'folia'] },
      versions: jars.map((bytes, at) => ({ name: `1.${at}`, jar: bytes })),
    })
    const [older, newer] = lamp.versions.map((one) => one.id)
    it.signedIn.token = await it.account('ann@example.org')
    const software = { id: kind, version: VERSION }
    const made = await it.ask('POST /servers', { name: 'Mine', software, memoryMb: 512, acceptLicense: true })
    const id: string = made.body.id
    const { install, settled, list } = ofServer(it, id)
    const power = (action: string) => it.ask(`POST /servers/power/${id}`, { action })
    await it.reaches(id, 'offline')

    const found = await it.ask(`GET /extensions/search?query=lamp&software=${kind}&version=${VERSION}`)
    expect(found.body.items).toMatchObject([{ id: lamp.id, name: 'Lamp', catalog: 'hangar' }])
    await install([{ project: lamp.id, versionId: older! }])
    expect(await settled()).toMatchObject({ items: [{ name: 'Lamp', from: null, to: '1.0' }], error: null })
    expect(await list()).toMatchObject([
      { name: 'Lamp', problems: [], project: { id: lamp.id, catalog: 'hangar' } },
    ])
    await power('start')
    await it.reaches(id, 'online')

    const updates = await it.ask(`GET /servers/extensions/updates/${id}`)
    expect(updates.body.items).toMatchObject([{ update: { version: '1.1', versionId: newer } }])
    await install([{ project: lamp.id, versionId: newer! }])
    expect(await settled()).toMatchObject({ items: [{ name: 'Lamp', from: '1.0', to: '1.1' }], error: null })
    await power('restart')
    await expect.poll(async () => (await list())[0].waits, { interval: 20 }).toBe(false)
    await it.reaches(id, 'online')
    expect(versions(await list())).toEqual(['Lamp 1.1'])
  },
)

it('an update of all after which the server crashes at its start is told as that, and one step undoes it', async () => {
  const server = await openPaper({ jar: await serverJar('paper') })
  const { ask, id, reaches, install, settled, changes, list, undo } = server
  const catalogs = new ExtensionCatalogs(server.catalogs)
  const crash = { 'crash-at-start.txt': 'Could not load the plugin.\n' }
  const broken = await pluginJar({ name: 'Shop', version: '2.0', files: crash })
  const shop = await catalogs.offer({
    ...{ catalog: 'modrinth', name: 'Shop', games },
    versions: [{ name: '1.0' }, { name: '2.0', jar: broken }],
  })
  const lamp = await catalogs.offer({
    ...{ catalog: 'hangar', name: 'Lamp', games },
    versions: [{ name: '1.0' }, { name: '2.0' }],
  })
  const power = (action: string) => ask(`POST /servers/power/${id}`, { action })
  await install([shop, lamp].map((one) => ({ project: one.id, versionId: one.versions[0]!.id })))
  await settled()
  await power('start')
  await reaches(id, 'online')
  const plan = (await ask(`GET /servers/extensions/plan/${id}?update=all`)).body.changes
  expect(plan).toHaveLength(2)
  await install(plan.map(({ project, versionId }: never) => ({ project, versionId })))
  await settled()
  await power('restart')
  await reaches(id, 'crashed')
  expect((await changes()).last).toMatchObject({
    ...{ crashedSince: true, undoable: true },
    items: expect.arrayContaining([
      { name: 'Shop', from: '1.0', to: '2.0' },
      { name: 'Lamp', from: '1.0', to: '2.0' },
    ]),
  })
  expect((await undo()).body.last).toMatchObject({ crashedSince: false })
  expect(versions(await list())).toEqual(['Lamp 1.0', 'Shop 1.0'])
  await power('start')
  await reaches(id, 'online')
})

/** A Paper server on a disk that a test fills, and three plugins, each with a version to which it can be updated. */
async function openOnSmallDisk() {
  const disk = await smallDisk(330)
  if (!disk) return null
  const server = await openPaper({ dataDir: path.join(disk.folder, 'data') })
  const catalogs = new ExtensionCatalogs(server.catalogs)
  const offered = []
  for (const name of ['Axe', 'Bow', 'Cap']) {
    const jarOf = (version: string) =>
      pluginJar({ name, version, files: { noise: Buffer.alloc(400_000, `${name} ${version}`) } })
    const jars = await Promise.all(['1.0', '2.0'].map(jarOf))
    offered.push(
      await catalogs.offer({
        ...{ catalog: 'modrinth', name, games },
        versions: jars.map((jar, at) => ({ name: `${at + 1}.0`, jar })),
      }),
    )
  }
  const everything = async () =>
    Object.fromEntries(
      await Promise.all(
        (await server.names()).map(async (name) => [name, await server.bytes(`plugins/${name}`)] as const),
      ),
    )
  const staged = async () =>
    (await readdir(path.join(server.folder, 'staging', server.id, 'extensions'))).filter((name) =>
      name.endsWith('.jar'),
    )
  /** Fills the disk as soon as this file is asked for, before any of it comes. */
  const fillsAt = async (url: string, begin: () => Promise<unknown>) => {
    let goOn = () => {}
    const { pathname } = new URL(url)
    const end = server.catalogs.fail(pathname, {
      kind: 'held',
      until: new Promise<void>((go) => (goOn = go)),
    })
    await begin()
    await expect.poll(() => server.catalogs.requests.some((one) => one.path === pathname)).toBe(true)
    disk.fill()
    goOn()
    const last = await server.settled()
    end()
    return last
  }
  return { ...server, disk, offered, everything, staged, fillsAt }
}

it('a disk that gets full while plugins are installed or all are updated is said, and every file is as it was', async ({
  skip,
}) => {
  const it = await openOnSmallDisk()
  if (!it) return skip(NO_DISK)
  const { disk, offered, install, settled, everything, staged, fillsAt, ask, id, list } = it
  const first = offered.map(({ id: project, versions: [old] }) => ({ project, versionId: old!.id }))
  const full = { code: expect.stringMatching(/disk-full$/), message: expect.stringMatching(/Free up space/) }

  expect(await fillsAt(offered[2]!.versions[0]!.url, () => install(first))).toMatchObject({ error: full })
  expect([await everything(), await staged()]).toEqual([{}, []])
  disk.clear()
  await install(first)
  expect(await settled()).toMatchObject({ error: null })
  const before = await everything()
  expect(Object.keys(before)).toEqual(['Axe-1.0.jar', 'Bow-1.0.jar', 'Cap-1.0.jar'])

  const plan = (await ask(`GET /servers/extensions/plan/${id}?update=all`)).body.changes
  const all = plan.map(({ project, versionId }: never) => ({ project, versionId }))
  expect(await fillsAt(offered[2]!.versions[1]!.url, () => install(all))).toMatchObject({ error: full })
  expect([await everything(), await staged()]).toEqual([before, []])
  disk.clear()
  await install(all)
  expect(await settled()).toMatchObject({ error: null, undoable: true })
  expect(versions(await list())).toEqual(['Axe 2.0', 'Bow 2.0', 'Cap 2.0'])

  // Neither is anything undone of which it cannot be written down that it is.
  const updated = await everything()
  disk.fill()
  expect((await it.undo()).body.error).toMatchObject(full)
  expect(await everything()).toEqual(updated)
  disk.clear()
  expect((await it.undo()).status).toBe(200)
  expect(await everything()).toEqual(before)

  // All is here already, but for the room that its copies take.
  disk.fill()
  await install(all)
  expect(await settled()).toMatchObject({ error: full })
  expect([await everything(), await staged()]).toEqual([before, []])
  disk.clear()
})

it('two servers that install the same at once both have it, and it comes once', async () => {
  const one = await openPaper()
  const made = await one.ask('POST /servers', {
    ...{ name: 'Other', software: { id: 'paper', version: VERSION }, memoryMb: 512, acceptLicense: true },
  })
  const other = ofServer(one, made.body.id)
  await one.reaches(made.body.id, 'offline')
  const shop = await new ExtensionCatalogs(one.catalogs).offer({
    ...{ catalog: 'hangar', name: 'Shop', games },
    versions: [{ name: '1.0' }],
  })
  await Promise.all([one, other].map(({ install }) => install([{ project: shop.id }])))
  for (const server of [one, other]) {
    expect(await server.settled()).toMatchObject({ error: null, items: [{ name: 'Shop', to: '1.0' }] })
    expect(await server.bytes(`plugins/${(await server.names())[0]!}`)).toEqual(shop.versions[0]!.jar)
  }
  const { pathname } = new URL(shop.versions[0]!.url)
  expect(one.catalogs.requests.filter(({ path: asked }) => asked === pathname)).toHaveLength(1)
})
