import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { offerFill, offerVanilla } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { openTestService, temporaryFolder } from '../service.fixture.ts'
import { KeptReleases, type KeptReleasesPorts } from './kept-releases.ts'

const [VERSION, OTHER] = ['1.20.4', '1.20.6']

it('what is downloaded is marked, and can be installed again when no catalog can be reached', async () => {
  const catalogs = await CatalogServer.start()
  const dataDir = await temporaryFolder()
  const running = await openTestService({ dataDir, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await running.service.close(true)
    await catalogs.stop()
  })
  const game = await readFile(await javaServerJar({ kind: 'vanilla', version: VERSION }))
  const paper = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '7' }))
  offerVanilla(catalogs, [
    { id: OTHER, java: 17 },
    { id: VERSION, java: 17, jar: game },
  ])
  offerFill(catalogs, 'paper', [
    { id: VERSION, java: 17, builds: [{ id: 8 }, { id: 7, jar: paper }] },
    { id: OTHER, java: 17, builds: [{ id: 9 }] },
  ])
  const token = await running.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => (await running.call(route, { token, body })).body
  const create = async (software: object) => {
    const made = { name: 'Mine', software, memoryMb: 512, acceptLicense: true }
    const { id } = await ask('POST /servers', made)
    await expect.poll(async () => (await ask(`GET /servers/status/${id}`)).status).toBe('offline')
    return (await ask(`GET /servers/software/${id}`)).build as string | null
  }
  const here = async (route: string) => {
    const items: { id: string; isHere?: boolean }[] = (await ask(`GET /software/${route}`)).items
    return Object.fromEntries(items.map(({ id, isHere }) => [id, isHere]))
  }
  expect(await here('paper/versions')).toEqual({ [OTHER]: false, [VERSION]: false })
  expect(await create({ id: 'paper', version: VERSION, build: '7' })).toBe('7')
  expect(await here('paper/versions')).toEqual({ [OTHER]: false, [VERSION]: true })
  expect(await here(`paper/builds?version=${VERSION}`)).toEqual({ 8: false, 7: true })

  catalogs.fail('/', { kind: 'out of reach' })
  expect(await create({ id: 'paper', version: VERSION, build: '7' })).toBe('7')
  // The newest cannot be had, and nobody has asked for it by its number.
  expect(await create({ id: 'paper', version: VERSION })).toBe('7')
  const contents = path.join(dataDir, 'software', 'downloads', 'content')
  for (const name of await readdir(contents)) await rm(path.join(contents, name))
  expect(await here('paper/versions')).toEqual({ [OTHER]: false, [VERSION]: false })
})

const FILE = { url: 'https://example.org/a.jar', name: 'a.jar', size: 1, checksum: null }
const noted = (version: string, major = 21) => ({
  ...{ software: 'paper', version, build: '1' },
  ...{ java: { major, exact: false }, files: [FILE] },
})

async function opened(ports: Partial<KeptReleasesPorts> = {}) {
  const file = path.join(await temporaryFolder(), 'kept.json')
  const all = { has: () => Promise.resolve(true), javas: () => Promise.resolve([{ major: 21 }]), ...ports }
  return new KeptReleases(file, all)
}

it('what no Java here runs is not here', async () => {
  const kept = await opened()
  await kept.note(noted('26.1', 25))
  await kept.note(noted('1.21', 21))
  expect(await kept.of('paper')).toEqual([{ version: '1.21', build: '1' }])
  expect(await kept.of('purpur')).toEqual([])
})

it('each is noted once, and of many the last', async () => {
  const kept = await opened()
  for (let at = 0; at < 305; at++) await kept.note(noted(`1.${at}`))
  await kept.note(noted('1.304'))
  const versions = (await kept.of('paper')).map(({ version }) => version)
  expect(versions).toHaveLength(300)
  expect([versions[0], versions.at(-1)]).toEqual(['1.304', '1.5'])
})
