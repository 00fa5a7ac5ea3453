import { expect, it } from 'vitest'
import { offerFabric, offerFill, offerVanilla } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { UNFIT_NAMED_MOST } from '../../../contract/areas/software.ts'
import { ofServer, openService } from './extensions.fixture.ts'

const [OLD, NEW] = ['1.20.4', '1.21.4']
const LOADER = '0.16.9'

/** A service whose catalogs have Paper, Folia, Velocity, Fabric and Vanilla, with a server of one of them. */
async function open(software: string) {
  const it = await openService()
  const { catalogs } = it
  const jar = Buffer.from('a jar')
  for (const name of ['paper', 'folia'] as const)
    offerFill(catalogs, name, [
      { id: NEW, java: 17, builds: [{ id: 2, jar }] },
      { id: OLD, java: 17, builds: [{ id: 1, jar }] },
    ])
  offerFill(catalogs, 'velocity', [{ id: '3.4.0', java: 17, builds: [{ id: 3, jar }] }])
  offerVanilla(catalogs, [
    { id: NEW, java: 17 },
    { id: OLD, java: 17 },
  ])
  offerFabric(catalogs, {
    games: [NEW, OLD].map((version) => ({ version, stable: true })),
    loaders: [{ version: LOADER, stable: true }],
    jars: { [`${OLD}/${LOADER}`]: jar, [`${NEW}/${LOADER}`]: jar },
  })
  it.signedIn.token = await it.account('ann@example.org')
  const made = await it.ask('POST /servers', {
    ...{ name: 'Mine', software: { id: software, version: OLD }, memoryMb: 512, acceptLicense: true },
  })
  expect(made.status).toBe(201)
  const id: string = made.body.id
  return {
    ...it,
    ...ofServer(it, id),
    /** What of a plan is of extensions. */
    unfit: async (to: string, version: string) => {
      const { body } = await it.ask(`GET /servers/software/plan/${id}?id=${to}&version=${version}`)
      return body.items.filter(({ kind }: { kind: string }) => /^(plugins|mods)-/.test(kind))
    },
  }
}

it('another version of Fabric names the mods that are made for the one before, and counts what it does not name', async () => {
  const { put, unfit } = await open('fabric')
  const mods = Array.from({ length: 30 }, (_, at) => `Mod ${String(at).padStart(2, '0')}`)
  for (const name of mods)
    await put(`mods/${name}.jar`, { name, version: '1', form: 'fabric', minecraft: OLD })
  await put('mods/any.jar', { name: 'Any', version: '2', form: 'fabric', minecraft: '>=1.20' })
  await put('mods/off.jar.disabled', { name: 'Off', version: '2', form: 'fabric', minecraft: OLD })
  const problems = [{ kind: 'wrong-version', name: 'minecraft', wants: OLD }]
  expect(await unfit('fabric', NEW)).toEqual([
    {
      ...{ kind: 'mods-unfit', count: 30 },
      extensions: mods.slice(0, UNFIT_NAMED_MOST).map((name) => ({ name, version: '1', problems })),
    },
  ])
  expect(await unfit('fabric', OLD)).toEqual([])
})

it('an older Paper names the plugins that are made for newer ones, and nothing that was wrong before', async () => {
  const { put, unfit } = await open('paper')
  await put('plugins/new.jar', { name: 'New', version: '3', apiVersion: '1.21' })
  await put('plugins/shop.jar', { name: 'Shop', version: '1', depends: ['Vault'] })
  await put('plugins/mod.jar', { name: 'Lithium', version: '1', form: 'fabric' })
  await put('plugins/broken.jar', Buffer.from('no jar'))
  const wrong = { problems: [{ kind: 'wrong-version', name: 'minecraft', wants: '1.21' }] }
  // It is wrong there now just the same; who stays at the version is told once more.
  expect(await unfit('paper', OLD)).toEqual([
    { kind: 'plugins-unfit', count: 1, extensions: [{ name: 'New', version: '3', ...wrong }] },
  ])
  expect(await unfit('paper', NEW)).toEqual([])
})

it('another kind names what it does not run, in both folders', async () => {
  const { put, unfit } = await open('paper')
  await put('plugins/shop.jar', { name: 'Shop', version: '1' })
  await put('plugins/broken.jar', Buffer.from('no jar'))
  await put('mods/lithium.jar', { name: 'Lithium', version: '1', form: 'fabric', minecraft: OLD })
  const wrong = (name: string) => ({ problems: [{ kind: 'wrong-software', name }] })
  const stop = {
    ...{ kind: 'plugins-stop', count: 2 },
    extensions: [
      { name: 'broken', version: null, problems: [{ kind: 'wrong-software' }] },
      { name: 'Shop', version: '1', ...wrong('bukkit') },
    ],
  }
  const lithium = { name: 'Lithium', version: '1' }
  expect(await unfit('vanilla', NEW)).toEqual([
    stop,
    { kind: 'mods-stop', count: 1, extensions: [{ ...lithium, ...wrong('fabric') }] },
  ])
  // Fabric loads what waits in its folder, and that is for the older version.
  const problems = [{ kind: 'wrong-version', name: 'minecraft', wants: OLD }]
  expect(await unfit('fabric', NEW)).toEqual([
    stop,
    { kind: 'mods-unfit', count: 1, extensions: [{ ...lithium, problems }] },
  ])
  expect(await unfit('fabric', OLD)).toEqual([stop])
})

it('Folia and Velocity name the plugins of Paper that do not say they are for them', async () => {
  const { put, unfit } = await open('paper')
  await put('plugins/shop.jar', { name: 'Shop', version: '1' })
  await put('plugins/regions.jar', {
    ...{ name: 'Regions', version: '2' },
    files: { 'plugin.yml': 'name: Regions\nversion: 2\nmain: a.B\nfolia-supported: true\n' },
  })
  const named = (kind: string, ...names: string[]) =>
    expect.objectContaining({
      ...{ kind, count: names.length },
      extensions: names.map((name) => expect.objectContaining({ name })),
    })
  expect(await unfit('folia', OLD)).toEqual([named('plugins-stop', 'Shop')])
  expect(await unfit('velocity', '3.4.0')).toEqual([named('plugins-stop', 'Regions', 'Shop')])
})
