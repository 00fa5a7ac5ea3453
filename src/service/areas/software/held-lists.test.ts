import { expect, it, onTestFinished } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../../../../tests/doubles/catalogs/extension-catalogs.ts'
import { heldClock, startTestService } from '../../service.fixture.ts'

const HOURS = 60 * 60 * 1000

it('lists of catalogs that are out of reach are answered as they were kept, and say how old that is; others do not', async () => {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  offerFill(catalogs, 'paper', [{ id: '1.21.4', builds: [{ id: 7 }] }])
  new ExtensionCatalogs(catalogs)
  const clock = heldClock()
  const { account, call } = await startTestService({ catalogs: catalogs.settings, clock })
  const token = await account('ann@example.org')
  const lists = [
    '/software/paper/versions',
    '/software/paper/builds?version=1.21.4',
    '/extensions/search?query=&software=paper&version=1.21.4',
    '/modpacks/search?query=',
  ]
  const ages = async () => {
    const answers = await Promise.all(lists.map((list) => call(`GET ${list}`, { token })))
    return answers.map(({ status, headers }) => [status, headers.get('age')])
  }
  const fresh = lists.map(() => [200, null])
  expect(await ages()).toEqual(fresh)
  clock.forward(3 * HOURS)
  const mend = catalogs.fail('/', { kind: 'out of reach' })
  expect(await ages()).toEqual(lists.map(() => [200, String((3 * HOURS) / 1000)]))
  mend()
  clock.forward(HOURS)
  expect(await ages()).toEqual(fresh)
})
