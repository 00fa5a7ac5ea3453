import { CuttableLine } from '../fixtures/cuttable-line.ts'
import { consoleLines } from './fixtures/console-lines.ts'
import { inContainers } from './fixtures/engine.ts'
import { expect, test } from './fixtures/journey.ts'
import {
  connectionLine,
  connectionLink,
  openConsole,
  power,
  railPart,
  row,
  sendCommand,
  serverLink,
  signIn,
  status,
} from './fixtures/views.ts'

/** The panel asks again by itself after ever longer waits, in milliseconds. */
const BY_ITSELF = { timeout: 30_000 }

test('a service that cannot be reached greys its own part, and the console catches up when it can', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)
  const line = await CuttableLine.to(service.host, service.port)
  place.atEnd(() => line.cut())

  const { page } = await openPanel()
  await page.getByRole('button', { name: 'This computer' }).click()
  await expect(page.getByRole('heading', { name: 'Create server' })).toBeVisible()
  await page.getByRole('link', { name: 'All servers' }).click()
  await signIn(page, `http://127.0.0.1:${line.port}/api/v1`, ann)
  await serverLink(page, 'Far away').click()
  await openConsole(page)
  await sendCommand(page, 'flood 3000')
  await expect(row(page, 'Flood of 3000 lines is over')).toBeVisible()

  await line.cut()
  await expect(connectionLine(page)).toContainText(/Offline.*as of/)
  const part = railPart(page, `127.0.0.1:${line.port}`)
  await expect(part).toContainText('Not connected')
  await expect(part).toContainText('Far away')
  await expect(status(page)).toHaveText('Online')
  await expect(power(page, 'Stop')).toHaveAttribute('aria-disabled', 'true')
  await expect(row(page, 'Flood of 3000 lines is over')).toBeVisible()
  await page.getByLabel('Command', { exact: true }).fill('say into the void')
  await page.getByLabel('Command', { exact: true }).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Not sent' })).toBeVisible()
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('say into the void')

  // Meanwhile the server writes on, and the other connection works.
  await service.command(ann.token, serverId, 'flood 5000')
  await service.says(ann.token, serverId, 'Flood of 5000 lines is over')
  await service.command(ann.token, serverId, 'say while nobody listened')
  await expect(railPart(page, 'This computer')).not.toContainText('Not connected')
  await connectionLink(page, 'This computer').click()
  await expect(connectionLine(page)).toBeEmpty()
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(status(page)).toHaveText('Offline')
  await serverLink(page, 'Far away').click()
  await openConsole(page)
  await expect(connectionLine(page)).toContainText(/Offline.*as of/)

  await line.mend()
  await expect(connectionLine(page)).toBeEmpty(BY_ITSELF)
  await expect(row(page, '[Server] while nobody listened')).toBeVisible(BY_ITSELF)
  await expect(part).not.toContainText('Not connected')
  await expect(power(page, 'Stop')).not.toHaveAttribute('aria-disabled')
  const { texts, gaps } = await consoleLines(page)
  const flood = texts.flatMap((text) => /Line (\d+) of the flood/.exec(text)?.[1] ?? [])
  expect(gaps).toBe(0)
  expect(flood).toEqual(Array.from({ length: 8000 }, (_, at) => String(at + 1)))
})

test('a service that was stopped and started again is found by itself', async ({
  openPanel,
  startService,
}) => {
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  await service.server(ann.token, 'Far away', 'flood')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Far away').click()
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online')
  await openConsole(page)
  await sendCommand(page, 'say before')
  await expect(row(page, '[Server] before')).toBeVisible()

  expect(await service.program.end()).toEqual({ code: 0, signal: null })
  await expect(connectionLine(page)).toContainText(/Offline.*as of/)
  await page.reload()
  await expect(connectionLine(page)).toContainText(/Offline.*as of/)
  await expect(row(page, '[Server] before')).toBeVisible()

  await service.start()
  await expect(connectionLine(page)).toBeEmpty(BY_ITSELF)
  if (!inContainers()) {
    await expect(status(page)).toHaveText('Offline')
    await power(page, 'Start').click()
  }
  await expect(status(page)).toHaveText('Online')
  await sendCommand(page, 'say after')
  await expect(row(page, '[Server] after')).toBeVisible()
  await expect(row(page, '[Server] before')).toBeVisible()
  await expect(row(page, 'missing')).toHaveCount(0)
})
