import { expect, it } from 'vitest'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { GAME, LOADER, openPacks } from './packs.fixture.ts'

it("the mods of a pack are loaded, and where one misses another the loader's own words say which, until the next version brings it", async () => {
  const { ask, server, file, offer, create, install, reaches, said, packOf } = await openPacks({ runs: true })
  const mod = async (name: string, depends: string[]) => {
    const at = `mods/${name.toLowerCase()}.jar`
    const bytes = await pluginJar({ name, version: '1.4', form: 'fabric', minecraft: GAME, depends })
    const { url } = file(at, '')
    server.put(new URL(url).pathname, bytes)
    return { path: at, bytes, url }
  }
  const [doors, library] = [await mod('Doors', ['Sturdy-Lib']), await mod('Sturdy-Lib', [])]
  const { versions } = await offer([
    { version: '1.0', files: [doors] },
    { version: '1.1', files: [doors, library] },
  ])
  const [one, two] = versions.map(({ id }) => id) as [string, string]
  const { id } = (await create(one)).body
  await reaches(id, 'offline')
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await reaches(id, 'crashed')
  expect((await ask(`GET /servers/crash/${id}`)).body).toMatchObject({
    cause: 'missing-dependency',
    facts: { extension: 'Doors', missing: 'sturdy-lib' },
  })
  await install(id, { versionId: two })
  await expect
    .poll(async () => (await packOf(id)).pack.version, { interval: 20, timeout: 20_000 })
    .toBe('1.1')
  // It is listed a moment before the work with it has ended.
  await expect
    .poll(async () => (await ask(`POST /servers/power/${id}`, { action: 'start' })).status, {
      interval: 20,
      timeout: 20_000,
    })
    .toBe(202)
  await reaches(id, 'online')
  const lines = await said(id)
  const from = lines.findLastIndex((line) => line.includes('Loading 5 mods:'))
  expect(lines.slice(from + 1, from + 6)).toEqual([
    '\t- doors 1.4',
    `\t- fabricloader ${LOADER}`,
    expect.stringMatching(/^\t- java \d+$/),
    `\t- minecraft ${GAME}`,
    '\t- sturdy-lib 1.4',
  ])
})
