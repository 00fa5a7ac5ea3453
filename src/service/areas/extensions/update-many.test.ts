import { expect, it } from 'vitest'
import { ExtensionCatalogs } from '../../../../tests/doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { openPaper, VERSION } from './extensions.fixture.ts'

const INSTALLED = 150
const LIBRARIES = 30

it('hundreds are updated, with libraries that are named by their versions, in few questions to the catalog', async () => {
  const { catalogs: server, ask, id, put, install, settled, list } = await openPaper()
  const catalogs = new ExtensionCatalogs(server)
  const games = [VERSION]
  const libraries = []
  for (let at = 0; at < LIBRARIES; at++)
    libraries.push(
      await catalogs.offer({
        ...{ catalog: 'modrinth', name: `Library${at}`, games },
        versions: [{ name: '1.0' }, { name: '1.1' }],
      }),
    )
  for (let at = 0; at < INSTALLED; at++) {
    const { id: on, versions } = libraries[at % LIBRARIES]!
    const jar = await pluginJar({ name: `Plugin${at}`, version: '1.0' })
    await catalogs.offer({
      ...{ catalog: 'modrinth', name: `Plugin${at}`, games },
      versions: [
        { name: '1.0', jar },
        { name: '2.0', needs: [{ on, name: `Library${at % LIBRARIES}`, version: versions[0]!.id }] },
      ],
    })
    await put(`plugins/Plugin${at}.jar`, jar)
  }
  const asked = () => server.requests.filter(({ path }) => path.startsWith('/modrinth/v2/'))
  const planned = (await ask(`GET /servers/extensions/plan/${id}?update=all`)).body
  const count = (action: string) =>
    planned.changes.filter((one: { action: string }) => one.action === action).length
  expect([count('update'), count('add')]).toEqual([INSTALLED, LIBRARIES])
  // One for the versions of each library that is to come; all else by the hundred.
  expect(asked().length).toBeLessThan(LIBRARIES + 15)
  const before = asked().length
  const items = planned.changes.map(({ project, versionId }: Record<string, string>) => ({
    project,
    versionId,
  }))
  expect((await install(items)).status).toBe(202)
  expect(await settled()).toMatchObject({ error: null })
  expect(asked().length - before).toBeLessThan(5)
  const installed = await list()
  expect(installed).toHaveLength(INSTALLED + LIBRARIES)
  expect(installed.filter(({ version }: { version: string }) => version === '2.0').length).toBe(INSTALLED)
})
