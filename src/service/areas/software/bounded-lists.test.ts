import { expect, it, onTestFinished } from 'vitest'
import { offerFill, offerVanilla } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { startTestService } from '../../service.fixture.ts'

it('of very long lists of a catalog the newest are told, and a build with too much to say hides no other', async () => {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  const ids = Array.from({ length: 2200 }, (_, at) => `1.${2200 - at}`)
  offerVanilla(
    catalogs,
    ids.map((id) => ({ id })),
  )
  const builds = Array.from({ length: 150 }, (_, at) => ({ id: 150 - at }))
  const talkative = { id: 151, commits: Array.from({ length: 80 }, () => 'x'.repeat(3000)) }
  offerFill(catalogs, 'paper', [{ id: '1.21.4', builds: [talkative, ...builds] }])
  const { account, call } = await startTestService({ catalogs: catalogs.settings })
  const token = await account('ann@example.org')
  const list = async (route: string) => (await call(`GET /software/${route}`, { token })).body.items
  const versions = await list('vanilla/versions')
  expect([versions.length, versions[0].id, versions.at(-1).id]).toEqual([2000, '1.2200', '1.201'])
  const told = await list('paper/builds?version=1.21.4')
  expect([told.length, told[0].id, told.at(-1).id]).toEqual([100, '151', '52'])
  expect(told[0].changes).toHaveLength(50)
  expect([told[0].moreChanges, told[1].moreChanges]).toEqual([30, undefined])
})
