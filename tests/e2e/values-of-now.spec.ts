import { CuttableLine } from '../fixtures/cuttable-line.ts'
import {
  allEnded,
  openFiles,
  openTransfers,
  signedIn,
  transfers,
  uploadFiles,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { someBytes, write } from './fixtures/trees.ts'
import { connectionLine, power, serverLink, signIn, status, tab } from './fixtures/views.ts'

test.use({ sharesPanel: true })

// A value of now stands there only while it is of now; what is older says how old it is.

test('a server that is stopped uses nothing any more, and what is known of one out of reach says how old it is', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)
  const { page } = await openPanel()
  const line = await CuttableLine.to(service.host, service.port)
  place.atEnd(() => line.cut())
  await signIn(page, `http://127.0.0.1:${line.port}/api/v1`, ann)
  await serverLink(page, 'Far away').click()
  const graph = page.getByRole('img', { name: /^CPU/ })
  const cpu = page.locator('dl > div', { hasText: /^CPU/ })
  await expect(graph).toHaveAttribute('aria-label', /^CPU: now /)
  await expect(cpu).toContainText('%')

  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline')
  await expect(graph).toHaveAttribute('aria-label', /^CPU: no current value, peak /)
  await expect(cpu).toHaveText(/^\s*CPU\s*–\s*$/)

  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online')
  await expect(cpu).toContainText('%')
  await expect(page.getByRole('main')).not.toContainText('as of')
  await line.cut()
  await expect(connectionLine(page)).toContainText(/Offline.*as of/)
  await expect(cpu).toHaveText(/^\s*CPU\s*–\s*$/)
  // Status and players: both are of then, and how long the status holds nobody knows any more.
  await expect(page.getByRole('main').getByText(/^as of /)).toHaveCount(2)
  await expect(serverLink(page, 'Far away')).not.toContainText('/')
  await tab(page, 'Files').click()
  await expect(page.getByText('The server is running')).toHaveCount(0)
})

test('what was picked together is called by its first name and how many more, in every place', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  await signedIn(page, service, 'Far away')
  await write(place.at('mine'), { 'huge.bin': someBytes(3_000_000, 1), 'b.txt': 'b', 'c.txt': 'c' })
  await openFiles(page, 'Far away')
  await openTransfers(page)
  await page.getByLabel('Speed limit').selectOption(String(256 * 1024))
  await uploadFiles(page, [place.at('mine', 'huge.bin'), place.at('mine', 'b.txt')])
  const row = transfers(page).getByRole('listitem', { name: 'huge.bin and 1 more', exact: true })
  await expect(row).toContainText('2 files')
  await expect(row.getByRole('progressbar', { name: 'Progress of huge.bin and 1 more' })).toBeVisible()
  await row.getByRole('button', { name: 'Cancel huge.bin and 1 more' }).click()
  await expect(page.getByRole('dialog', { name: 'Cancel huge.bin and 1 more?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByLabel('Speed limit').selectOption('none')
  await allEnded(page, 1)
  await uploadFiles(page, [place.at('mine', 'c.txt')])
  await allEnded(page, 2)
  await expect(transfers(page).getByRole('listitem', { name: 'c.txt', exact: true })).toBeVisible()
})
