import { CuttableLine } from '../fixtures/cuttable-line.ts'
import { expect, test } from './fixtures/journey.ts'
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
