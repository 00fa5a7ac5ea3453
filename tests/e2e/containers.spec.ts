import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { presets } from '../../src/contract/rules/scopes.ts'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { CHEAP_HASHES } from './fixtures/program.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openSection, power, serverLink, signIn, status, tab } from './fixtures/views.ts'

const VERSION = '1.20.4'
const ENGINE = 'unix:///nowhere/docker.sock'
/** A service refuses containers as root, which tests may run as. */
const AS_SOMEBODY = '--import=data:text/javascript,process.getuid=()=>1000'

test('an owner chooses whether a server runs in a container and with which cores, and a member sees why they cannot', async ({
  openPanel,
  startService,
  place,
}) => {
  const catalogs = await CatalogServer.start()
  place.atEnd(() => catalogs.stop())
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  await mkdir(place.at('service'), { recursive: true, mode: 0o700 })
  await writeFile(path.join(place.at('service'), 'catalogs.json'), JSON.stringify(catalogs.settings))
  const service = await startService({
    more: ['--docker', ENGINE, '--docker-image', `sha256:${'0'.repeat(64)}`],
    env: { NODE_OPTIONS: `${CHEAP_HASHES} ${AS_SOMEBODY}`, WHEELHOUSE_CATALOGS: 'on' },
  })
  const [ann, ben] = [await service.account('Ann'), await service.account('Ben')]
  const software = { id: 'paper', version: VERSION }
  const { id } = await service.must('POST', '/servers', {
    token: ann.token,
    body: { name: 'Meadow', software, memoryMb: 2048, acceptLicense: true },
  })
  await service.must('POST', `/servers/access/${id}`, {
    token: ann.token,
    body: { email: ben.email, scopes: presets.administrator },
  })
  const [{ id: invitation }] = (await service.must('GET', '/invitations', { token: ben.token })).items
  await service.must('POST', `/invitations/${invitation}`, { token: ben.token, body: { accept: true } })

  const { page } = await openPanel()
  const looks = new Looks()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await expect(status(page)).toHaveText('Offline')
  await openSection(page, 'Java and starting')
  const box = page.getByRole('checkbox', { name: 'Run in a container' })
  const cores = page.getByLabel('Processor cores')
  await expect(box).toBeChecked()
  await cores.scrollIntoViewIfNeeded()
  await looks.at(page, 'container', cores)
  await cores.fill('many')
  await page.getByRole('button', { name: 'Review' }).click()
  await looks.at(page, 'container, wrong cores', cores)
  await cores.fill('1,5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(cores).toHaveValue('1.5')

  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Crashed')
  await tab(page, 'Overview').click()
  await expect(page.getByRole('region', { name: 'Crash' })).toBeVisible()
  await looks.at(page, 'crash, no engine')

  const { page: other } = await openPanel({ data: 'other' })
  await signIn(other, service.baseUrl, ben)
  await serverLink(other, 'Meadow').click()
  await openSection(other, 'Java and starting')
  const fixed = other.getByRole('checkbox', { name: 'Run in a container' })
  await expect(fixed).toHaveAttribute('aria-disabled', 'true')
  await looks.at(other, 'container, member', other.getByLabel('Processor cores'))
  looks.expectNothing()
})
