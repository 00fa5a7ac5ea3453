import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { offerVanilla } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { ExtensionCatalogs } from '../../../../tests/doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { ofServer, type OpenOptions, openPaper, VERSION } from './extensions.fixture.ts'

/** A Paper server, and catalogs with a shop that needs an economy. */
async function open(options: OpenOptions = {}) {
  const server = await openPaper(options)
  const catalogs = new ExtensionCatalogs(server.catalogs)
  const games = [VERSION]
  const economy = await catalogs.offer({
    ...{ catalog: 'modrinth', name: 'Economy', games },
    versions: [{ name: '1.7' }],
  })
  const shop = await catalogs.offer({
    ...{ catalog: 'modrinth', name: 'Shop', games },
    versions: [{ name: '1.0' }, { name: '2.0', needs: [{ on: economy.id, name: 'Economy' }] }],
  })
  const lamp = await catalogs.offer({
    ...{ catalog: 'hangar', name: 'Lamp', games },
    versions: [{ name: '1.0' }, { name: '1.1' }],
  })
  const plan = async (query: string) =>
    (await server.ask(`GET /servers/extensions/plan/${server.id}?${query}`)).body
  const staging = () => readdir(path.join(server.folder, 'staging', server.id, 'extensions'))
  return { ...server, economy, shop, lamp, plan, staging }
}

const versions = (list: { name: string; version: string }[]) =>
  list.map(({ name, version }) => `${name} ${version}`)

it('an extension is found, planned with what it needs, installed, updated with all others, and all of that undone', async () => {
  const { ask, shop, economy, plan, list, install, settled, undo, ...server } = await open()
  const found = await ask(`GET /extensions/search?query=Shop&software=paper&version=${VERSION}`)
  expect(found.body.items).toMatchObject([{ id: shop.id, name: 'Shop', catalog: 'modrinth' }])
  const about = await ask(`GET /extensions/details?project=${shop.id}&software=paper&version=${VERSION}`)
  expect(about.body.versions.map(({ name }: { name: string }) => name)).toEqual(['2.0', '1.0'])
  const icon = await ask(`GET /extensions/icon?project=${shop.id}`)
  expect([icon.status, icon.body.picture ?? icon.body.error.code]).toEqual(
    shop.pictureUrl
      ? [200, expect.stringMatching(/^data:image\/png;base64,/)]
      : [404, 'extensions.not-found'],
  )

  // An older one first, without what the newer one needs.
  expect((await install([{ project: shop.id, versionId: shop.versions[0]!.id }])).status).toBe(202)
  expect(await settled()).toMatchObject({ items: [{ name: 'Shop', from: null, to: '1.0' }], error: null })
  await install([{ project: server.lamp.id, versionId: server.lamp.versions[0]!.id }])
  await settled()
  expect(versions(await list())).toEqual(['Lamp 1.0', 'Shop 1.0'])
  const lamp = (await list())[0]
  await server.change(lamp.id, { pinned: true })

  const updates = await ask(`GET /servers/extensions/updates/${server.id}`)
  expect(updates.body.items).toHaveLength(2)
  const planned = await plan('update=all')
  expect(planned.changes).toMatchObject([
    { action: 'keep', name: 'Lamp', reason: 'pinned' },
    { action: 'add', name: 'Economy', neededBy: ['Shop'] },
    { action: 'update', name: 'Shop', from: '1.0', to: '2.0', extensionId: 'plugin-Shop' },
  ])
  await install([{ project: shop.id, versionId: shop.versions[1]!.id }])
  expect((await settled()).items).toEqual([
    { name: 'Economy', from: null, to: '1.7' },
    { name: 'Shop', from: '1.0', to: '2.0' },
  ])
  expect(versions(await list())).toEqual(['Economy 1.7', 'Lamp 1.0', 'Shop 2.0'])
  expect((await list())[2]).toMatchObject({
    ...{ id: 'plugin-Shop', problems: [], waits: false },
    project: { id: shop.id, catalog: 'modrinth', url: `https://modrinth.com/project/${shop.key}` },
  })
  expect((await list())[0].project).toMatchObject({ id: economy.id, catalog: 'modrinth' })

  expect((await undo()).body.last).toMatchObject({ items: [{ to: null }, { to: '1.0' }], undoable: true })
  expect(versions(await list())).toEqual(['Lamp 1.0', 'Shop 1.0'])
  expect((await server.staging()).filter((name) => name.endsWith('.jar'))).toEqual([])
})

it('while the server runs nothing that it has loaded is replaced, and its next start has what was installed', async () => {
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  const { shop, list, install, settled, names, ask, reaches, id, ...server } = await open({ jar })
  await server.put('plugins/Shop.jar', await pluginJar({ name: 'Shop', version: '1.0' }))
  const loaded = await server.bytes('plugins/Shop.jar')
  const power = (action: string) => ask(`POST /servers/power/${id}`, { action })
  await power('start')
  await reaches(id, 'online')
  await install([{ project: shop.id }])
  expect(await settled()).toMatchObject({ error: null, undoable: true })
  expect(await server.bytes('plugins/Shop.jar')).toEqual(loaded)
  expect((await list()).map(({ name, version, waits }: never) => [name, version, waits])).toEqual([
    ['Economy', '1.7', true],
    ['Shop', '2.0', true],
  ])
  expect((await server.remove('plugin-Economy')).status).toBe(204)
  await power('restart')
  await expect.poll(() => names(), { interval: 20 }).not.toContain('Shop.jar')
  await reaches(id, 'online')
  expect((await list()).map(({ name, version, waits }: never) => [name, version, waits])).toEqual([
    ['Shop', '2.0', false],
  ])
  // It ends at once where it crashes, and that is told of what was changed before.
  await ask(`POST /servers/console/${id}`, { command: 'crash' })
  await power('kill')
  await reaches(id, 'offline')
})

it('an installation tells for what it waits: the download of another server, or a host', async () => {
  const it = await open()
  const made = await it.ask('POST /servers', {
    ...{ name: 'Other', software: { id: 'paper', version: VERSION }, memoryMb: 512, acceptLicense: true },
  })
  await it.reaches(made.body.id, 'offline')
  const other = ofServer(it, made.body.id)
  const sentence = async (server: Pick<typeof other, 'changes'>) =>
    (await server.changes()).running?.waiting?.sentence

  const file = new URL(it.lamp.versions[1]!.url).pathname
  const goesOn = it.catalogs.fail(file, { kind: 'stalls' })
  await it.install([{ project: it.lamp.id }])
  await expect.poll(async () => (await it.changes()).running?.done ?? 0, { interval: 20 }).toBeGreaterThan(0)
  expect(await sentence(it)).toBeUndefined()
  await other.install([{ project: it.lamp.id }])
  await expect.poll(() => sentence(other), { interval: 20 }).toBe('extensions.waiting.shared')
  expect(await sentence(it)).toBeUndefined()
  for (const server of [it, other]) expect((await server.cancel()).status).toBe(204)
  goesOn()

  it.catalogs.fail(file, { kind: 'status', status: 429, headers: { 'Retry-After': '50' } })
  await it.install([{ project: it.lamp.id }])
  await expect.poll(() => sentence(it), { interval: 20 }).toBe('extensions.waiting.host')
  expect((await it.changes()).running.waiting).toMatchObject({
    message: expect.stringContaining('accepts no more requests at the moment'),
    values: { host: new URL(it.lamp.versions[1]!.url).host },
  })
  expect((await it.cancel()).status).toBe(204)
})

it('a wrong file, a catalog that fails, and one who cancels leave everything as it was', async () => {
  const { shop, lamp, economy, install, settled, names, staging, ...server } = await open()
  const { url, jar } = economy.versions[0]!
  const end = server.catalogs.fail(new URL(url).pathname, { kind: 'instead', body: Buffer.alloc(jar.length) })
  await install([{ project: lamp.id }, { project: shop.id }])
  expect(await settled()).toMatchObject({ items: [], error: { code: 'software.download-wrong' } })
  expect(await names()).toEqual([])
  end()
  const older = shop.versions[0]!
  const silent = server.catalogs.fail(new URL(older.url).pathname, { kind: 'stalls' })
  await install([{ project: shop.id, versionId: older.id }])
  await expect
    .poll(async () => (await server.changes()).running?.total ?? 0, { interval: 20 })
    .toBeGreaterThan(0)
  const second = await install([{ project: lamp.id }])
  expect([second.status, second.body.error.code]).toEqual([409, 'extensions.busy'])
  expect((await server.undo()).body.error.code).toBe('extensions.busy')
  expect((await server.cancel()).status).toBe(204)
  expect(await settled()).toMatchObject({ items: [], error: { code: 'extensions.canceled' } })
  expect((await server.cancel()).body.error.code).toBe('extensions.not-running')
  silent()
  expect(await names()).toEqual([])
  expect((await staging()).filter((name) => name.endsWith('.jar'))).toEqual([])
  await install([{ project: shop.id, versionId: 'modrinth:nothing' }])
  expect(await settled()).toMatchObject({ error: { code: expect.stringMatching(/^extensions\./) } })
  await install([{ project: shop.id }])
  expect(await settled()).toMatchObject({ error: null })
  await install([{ project: shop.id }])
  expect(await settled()).toMatchObject({ error: { code: 'extensions.nothing-new' }, items: [{}, {}] })
})

it('files of which the catalog tells no size count to the quota as they are, together', async () => {
  const { install, settled, names, staging, catalogs } = await open({ quotaBytes: 100_000 })
  const offered = new ExtensionCatalogs(catalogs)
  const large = await pluginJar({ name: 'Large', version: '1', files: { noise: randomBytes(60_000) } })
  const offer = (name: string) =>
    offered.offer({
      ...{ catalog: 'modrinth', name, games: [VERSION] },
      versions: [{ name: '1', jar: large, withoutSize: true }],
    })
  const [one, other] = [await offer('One'), await offer('Other')]
  await install([{ project: one.id }, { project: other.id }])
  expect(await settled()).toMatchObject({ items: [], error: { code: 'files.quota' } })
  expect(await names()).toEqual([])
  expect((await staging()).filter((name) => name.endsWith('.jar'))).toEqual([])
})

it.each(['modrinth', 'hangar'] as const)(
  'what %s says lies elsewhere is had by hand alone',
  async (catalog) => {
    const { plan, install, settled, catalogs } = await open()
    const offered = await new ExtensionCatalogs(catalogs).offer({
      ...{ catalog, name: 'Far', games: [VERSION] },
      versions: [{ name: '1', liesAt: 'https://192.168.0.1/far.jar' }],
    })
    expect((await plan(`project=${offered.id}`)).changes).toMatchObject([
      { action: 'cannot', reason: 'manual', name: 'Far', url: expect.stringMatching(/^https:/) },
    ])
    await install([{ project: offered.id }])
    expect(await settled()).toMatchObject({ error: { code: 'extensions.cannot' } })
  },
)

it('the log of the server says which extensions were installed, changed and removed', async () => {
  const { ask, id, shop, plan, install, settled, change, remove } = await open()
  await plan(`project=${shop.id}`)
  await install([{ project: shop.id }])
  await settled()
  await change('plugin-Shop', { enabled: false })
  await remove('plugin-Shop')
  const { items } = (await ask(`GET /servers/activity/${id}`)).body
  expect(items.slice(0, 3)).toMatchObject([
    { action: 'extensions.remove', what: 'extension', target: 'Shop' },
    { action: 'extensions.change', what: 'extension', target: 'Shop' },
    { action: 'extensions.install', what: 'extension', target: 'Shop', result: 'accepted' },
  ])
})

it('what is asked for fits the software that the server has now', async () => {
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  const { ask, id, list, put, reaches, install, settled, lamp, catalogs } = await open({ jar })
  await put('plugins/Shop.jar', { name: 'Shop', version: '1' })
  await put('mods/Lithium.jar', { name: 'Lithium', version: '1', form: 'fabric' })
  expect(versions(await list())).toEqual(['Shop 1'])
  offerVanilla(catalogs, [{ id: VERSION, java: 17, jar }])
  await ask(`PUT /servers/software/${id}`, { id: 'vanilla', version: VERSION })
  await reaches(id, 'offline')
  expect((await ask(`GET /servers/software/${id}`)).body.id).toBe('vanilla')
  expect(await list()).toEqual([])
  await install([{ project: lamp.id }])
  expect((await settled()).error.code).toMatch(/^extensions\./)
})

it('what is being installed ends when the software is changed or the server reset', async () => {
  const { ask, id, shop, install, settled, reaches, staging, names, ...server } = await open()
  const silent = server.catalogs.fail(new URL(shop.versions[0]!.url).pathname, { kind: 'stalls' })
  await install([{ project: shop.id, versionId: shop.versions[0]!.id }])
  await expect
    .poll(async () => (await server.changes()).running?.total ?? 0, { interval: 20, timeout: 10_000 })
    .toBeGreaterThan(0)
  expect((await ask(`POST /servers/reset/${id}`, { keep: [] })).status).toBe(202)
  expect(await settled()).toMatchObject({ items: [], error: { code: 'extensions.canceled' } })
  await reaches(id, 'offline')
  silent()
  expect(await names()).toEqual([])
  expect((await staging()).filter((name) => name.endsWith('.jar'))).toEqual([])
})

it('an update of what is disabled stays disabled, and takes the place of what was called otherwise', async () => {
  const { lamp, install, settled, names, put } = await open()
  await put('plugins/my lamp.jar.disabled', { name: 'Lamp', version: '0.9' })
  await install([{ project: lamp.id }])
  expect(await settled()).toMatchObject({ items: [{ name: 'Lamp', from: '0.9', to: '1.1' }], error: null })
  const [name, ...more] = await names()
  expect(more).toEqual([])
  expect(name).toMatch(/Lamp.*1\.1.*\.jar\.disabled$/)
})

it('a server whose software has no extensions says so, and one without catalogs too', async () => {
  const { ask, install, id } = await open()
  const made = await ask('POST /servers', {
    ...{ name: 'Demo', software: { id: 'demo', version: '1.16.5' }, memoryMb: 512 },
  })
  if (made.status === 201) {
    expect((await ask(`GET /servers/extensions/${made.body.id}`)).body.items).toEqual([])
  }
  const refused = await ask(`GET /servers/extensions/plan/${id}`)
  expect([refused.status, refused.body.error.code]).toEqual([422, 'request.invalid'])
  expect((await install([])).status).toBe(422)
})
