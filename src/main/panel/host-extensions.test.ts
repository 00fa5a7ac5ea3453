import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../../../tests/doubles/catalogs/extension-catalogs.ts'
import { type JarOfExtension, pluginJar } from '../../../tests/fixtures/extension-jar.ts'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { signedIn as atPterodactyl } from './pterodactyl.fixture.ts'
import { signedIn as atSftp } from './sftp.fixture.ts'

const VERSION = '1.21.11'

const HOSTS = [
  ['Pterodactyl', atPterodactyl],
  ['SFTP', atSftp],
] as const

/** A Paper server at a host, with catalogs that have a shop, which needs an economy. */
async function openAt(signedIn: (typeof HOSTS)[number][1]) {
  const server = await CatalogServer.start()
  onTestFinished(() => server.stop())
  const panel = await signedIn({ catalogs: server.settings })
  const { files, send, view, at } = panel
  const history = JSON.stringify({ currentVersion: `${VERSION}-69-abcdef (MC: ${VERSION})` })
  writeFileSync(path.join(files, 'version_history.json'), history)
  mkdirSync(path.join(files, 'plugins'))
  const offered = new ExtensionCatalogs(server)
  const economy = await offered.offer({ catalog: 'modrinth', name: 'Economy', versions: [{ name: '1.7' }] })
  const shop = await offered.offer({
    ...{ catalog: 'modrinth', name: 'Shop' },
    versions: [{ name: '1.0' }, { name: '2.0', needs: [{ on: economy.id, name: 'Economy' }] }],
  })
  const changes = async () => (await view('extensions.changes', at, true)).value!
  return {
    ...{ ...panel, server, offered, economy, shop, changes },
    put: async (file: string, jar: JarOfExtension) =>
      writeFileSync(path.join(files, file), await pluginJar(jar)),
    list: async () => (await view('extensions.list', at, true)).value!.items,
    plugins: () => readdirSync(path.join(files, 'plugins')).sort(),
    install: async (project: string, versionId: string) => {
      await send('extensions.install', { ...at, body: { items: [{ project, versionId }] } })
      await expect.poll(async () => (await changes()).running).toBe(null)
      return (await changes()).last
    },
  }
}

const skipped = (host: string) => host === 'SFTP' && Boolean(NO_SFTP)

test.for(HOSTS)(
  'plugins at %s are listed with what is wrong with them, disabled, removed, and that is undone',
  async ([host, signedIn], { skip }) => {
    if (skipped(host)) skip()
    const { put, list, plugins, send, view, at, files, changes } = await openAt(signedIn)
    await put('plugins/shop-file.jar', { name: 'Shop', version: '1.0', depends: ['Economy'] })
    await put('plugins/Lamp.jar', { name: 'Lamp', version: '3' })
    writeFileSync(path.join(files, 'plugins/broken.jar'), 'no jar')
    const { value: read } = await view('servers.read', at, true)
    expect(read?.software).toMatchObject({ id: 'paper', name: 'Paper', version: VERSION })
    expect(read?.role).toEqual(expect.arrayContaining(['extensions.read', 'extensions.write']))
    expect(await list()).toMatchObject([
      { name: 'broken', enabled: true, problems: [{ kind: 'unreadable', reason: 'not-zip' }] },
      { name: 'Lamp', version: '3', problems: [] },
      { name: 'Shop', version: '1.0', problems: [{ kind: 'missing-dependency', name: 'Economy' }] },
    ])
    const change = (extensionId: string) => ({ ...at, params: { ...at.params, extensionId } })
    const [, lamp, shop] = await list()
    await send('extensions.change', { ...change(lamp!.id), body: { enabled: false } })
    expect(plugins()).toContain('Lamp.jar.disabled')
    expect((await list())[1]).toMatchObject({ id: lamp!.id, name: 'Lamp', enabled: false })
    await send('extensions.remove', change(shop!.id) as never)
    expect(plugins()).toEqual(['Lamp.jar.disabled', 'broken.jar'])
    expect((await changes()).last).toMatchObject({
      ...{ undoable: true, error: null, items: [{ name: 'Shop', from: '1.0', to: null }] },
    })
    await send('extensions.undo', { ...at, query: {} })
    expect(plugins()).toEqual(['Lamp.jar.disabled', 'broken.jar', 'shop-file.jar'])
    expect(readdirSync(path.join(files, '.wheelhouse/removed'))).toEqual([])
    await expect(send('extensions.remove', change('plugin-none') as never)).rejects.toMatchObject({
      problem: { code: 'not-found' },
    })
  },
)

test.for(HOSTS)(
  'a plugin is found for a server at %s, installed with what it needs, updated, and that is undone',
  async ([host, signedIn], { skip }) => {
    if (skipped(host)) skip()
    const panel = await openAt(signedIn)
    const { install, list, plugins, files, shop, economy, view, at, send, changes } = panel
    const [first, second] = shop.versions
    const query = { query: 'Shop', software: 'paper', version: VERSION }
    const found = await view('extensions.search', { connectionId: at.connectionId, query }, true)
    expect(found.value).toMatchObject({ items: [{ id: shop.id, name: 'Shop' }] })
    expect(await install(shop.id, first!.id)).toMatchObject({ items: [{ name: 'Shop', to: '1.0' }] })
    const installed = path.join(files, 'plugins', plugins()[0]!)
    expect(readFileSync(installed).equals(first!.jar)).toBe(true)
    const { value: updates } = await view('extensions.updates', at, true)
    expect(updates?.items).toMatchObject([{ update: { versionId: second!.id } }])
    const plan = await view('extensions.plan', { ...at, query: { update: 'all' } } as never, true)
    expect(plan.value).toMatchObject({
      changes: [
        { action: 'add', name: 'Economy', to: '1.7', neededBy: ['Shop'] },
        { action: 'update', name: 'Shop', from: '1.0', to: '2.0' },
      ],
    })
    await install(shop.id, second!.id)
    expect(await list()).toMatchObject([
      { name: 'Economy', version: '1.7', project: { id: economy.id } },
      { name: 'Shop', version: '2.0', project: { id: shop.id } },
    ])
    expect(readdirSync(path.join(files, '.wheelhouse/new'))).toEqual([])
    expect((await changes()).last).toMatchObject({ undoable: true })
    await send('extensions.undo', { ...at, query: {} })
    expect(await list()).toMatchObject([{ name: 'Shop', version: '1.0' }])
    expect(readFileSync(installed).equals(first!.jar)).toBe(true)
  },
)

test('what is not the file that the catalog lists is not installed', async () => {
  const { offered, install, plugins, files } = await openAt(atPterodactyl)
  const lamp = await offered.offer({
    ...{ catalog: 'hangar', name: 'Lamp' },
    versions: [{ name: '1.0', wrongHash: true }],
  })
  expect(await install(lamp.id, lamp.versions[0]!.id)).toMatchObject({
    error: { code: 'software.download-wrong' },
  })
  expect(plugins()).toEqual([])
  expect(readdirSync(path.join(files, '.wheelhouse/new'))).toEqual([])
})

test('without a sign of what a server runs its jars are listed, and nothing is installed', async () => {
  const { files, list, put, send, at, shop } = await openAt(atPterodactyl)
  writeFileSync(path.join(files, 'version_history.json'), '{}')
  await put('plugins/Lamp.jar', { name: 'Lamp', version: '3' })
  expect(await list()).toMatchObject([{ name: 'Lamp', version: '3', kind: 'plugin' }])
  const body = { items: [{ project: shop.id }] }
  await expect(send('extensions.install', { ...at, body })).rejects.toMatchObject({
    problem: { serviceCode: 'host.software-unknown' },
  })
})

test('a change while the server runs waits for the next start', async () => {
  const { list, put, send, at, files, server: _catalogs, ...panel } = await openAt(atPterodactyl)
  const log = path.join(files, 'logs/latest.log')
  mkdirSync(path.dirname(log))
  writeFileSync(log, '[12:00:00] [ServerMain/INFO]: Starting\n')
  await put('plugins/Lamp.jar', { name: 'Lamp', version: '3' })
  const [lamp] = await list()
  const params = { ...at.params, extensionId: lamp!.id }
  await send('extensions.change', { ...at, params, body: { enabled: false } })
  expect(await list()).toMatchObject([{ enabled: false, waits: true }])
  writeFileSync(log, '[12:30:00] [ServerMain/INFO]: Starting\n')
  expect(await list()).toMatchObject([{ enabled: false, waits: false }])
  const record = path.join(panel.data, 'hosts', at.connectionId)
  expect(readdirSync(record).some((name) => name.endsWith('.json'))).toBe(true)
  await panel.call('connections.sign-out', { connectionId: at.connectionId })
  expect(existsSync(record)).toBe(false)
})
