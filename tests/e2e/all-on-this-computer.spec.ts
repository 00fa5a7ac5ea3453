import { FLOOD } from '../doubles/flood-script.ts'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { asProcesses, expect, OUTLIVES, test } from './fixtures/journey.ts'
import { join } from './fixtures/player.ts'
import { startWeb } from './fixtures/panel.ts'
import {
  connectionLine,
  consoleLog,
  openConsole,
  power,
  row,
  sendCommand,
  serverLink,
  status,
  tab,
} from './fixtures/views.ts'

// Every server of this computer is given Minecraft's own port first, so these journeys go one after the other.
test.describe.configure({ mode: 'default' })

/** A Minecraft server may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

/** From the start screen to a server that is online. */
async function createAndStart(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'This computer' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('My server')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(status(page)).toHaveText('Offline')
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
}

/** The server's address, as it is shown to be copied. */
async function address(page: Page): Promise<string> {
  const name = await page.getByRole('button', { name: /^Copy the address/ }).getAttribute('aria-label')
  return name?.replace('Copy the address ', '') ?? ''
}

test('from nothing to a server whose console is read and commanded', async ({ openPanel, place }) => {
  const { page } = await openPanel()
  await createAndStart(page)
  await expect(serverLink(page, 'My server')).toBeVisible()

  await openConsole(page)
  await expect(row(page, 'Done (')).toBeVisible()
  const player = await join(place, await address(page), 'Robin')
  await expect(row(page, 'Robin joined the game')).toBeVisible()
  await expect(consoleLog(page)).toContainText('Robin joined the game')
  await expect(serverLink(page, 'My server')).toContainText('1/20')
  await tab(page, 'Overview').click()
  await expect(page.getByRole('definition').filter({ hasText: '1 of 20' })).toBeVisible()

  await openConsole(page)
  await sendCommand(page, 'say hello')
  await expect(row(page, '[Server] hello')).toBeVisible()
  await sendCommand(page, 'kick Robin too loud')
  expect(await player.kicked).toContain('too loud')
  await expect(row(page, 'Robin left the game')).toBeVisible()
  await expect(serverLink(page, 'My server')).toContainText('0/20')

  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await expect(row(page, 'The server has stopped.')).toBeVisible()
  await expect(power(page, 'Stop')).toHaveCount(0)
  await expect(power(page, 'Start')).toBeVisible()
  expect(
    (await place.running()).map(({ command }) => command).filter((one) => one.includes('demo-launcher')),
  ).toEqual([])
})

test('the same by keyboard alone', async ({ openPanel }) => {
  const { page } = await openPanel()
  const { keyboard } = page
  /** Presses Tab until something has the focus: a person's way, whatever lies in between. */
  const tabTo = async (role: 'button' | 'tab' | 'textbox', name: string) => {
    const wanted = page.getByRole(role, { name, exact: true })
    await expect(wanted.first()).toBeVisible()
    for (let presses = 0; presses < 60; presses += 1) {
      for (const one of await wanted.all())
        if (await one.evaluate((element) => element === document.activeElement)) return
      await keyboard.press('Tab')
    }
    throw new Error(`${role} ${name} cannot be reached with Tab`)
  }

  await tabTo('button', 'This computer')
  await keyboard.press('Enter')
  // The name is selected already: typing replaces it, Enter sends the form.
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByRole('group', { name: 'Software' })).toBeVisible()
  await keyboard.type('By hand')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'By hand' })).toBeVisible()
  await expect(status(page)).toHaveText('Online', SLOWLY)

  await keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await tabTo('tab', 'Overview')
  await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await expect(tab(page, 'Console')).toHaveAttribute('aria-selected', 'true')
  await tabTo('textbox', 'Command')
  await keyboard.type('say by keyboard')
  await keyboard.press('Enter')
  await expect(row(page, '[Server] by keyboard')).toBeVisible()

  await keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await keyboard.type('stop')
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toContainText('Stop')
  await keyboard.press('Enter')
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await keyboard.press('ControlOrMeta+k')
  await keyboard.type('app settings')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'App settings' })).toBeVisible()
})

test('told to end, the panel stops its server, saves its world and leaves nothing', async ({
  openPanel,
  place,
}) => {
  asProcesses(OUTLIVES)
  const first = await openPanel()
  await createAndStart(first.page)
  const player = await join(place, await address(first.page), 'Robin')
  expect((await place.running()).filter(({ command }) => command.includes('demo-launcher'))).toHaveLength(1)
  await first.close()
  expect(await player.kicked).toContain('Server closed')
  expect(await place.running()).toEqual([])
  const [server = ''] = await readdir(path.join(first.data, 'service', 'servers'))
  const world = path.join(first.data, 'service', 'servers', server, 'world')
  expect((await readdir(path.join(world, 'region'))).length).toBeGreaterThan(0)

  // What it said while nobody was looking is there the next time.
  const again = await openPanel({ data: first.data })
  await serverLink(again.page, 'My server').click()
  await expect(status(again.page)).toHaveText('Offline')
  await openConsole(again.page)
  await expect(row(again.page, 'Saving worlds')).toBeVisible()
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends panel and service with code 0 @browser`, async ({ place, startService }) => {
    const panel = startWeb(place)
    const service = await startService()
    await panel.says(/^Panel: (\S+)$/m)
    const ending = { code: 0, signal: null }
    expect(await Promise.all([panel.end(signal), service.program.end(signal)])).toEqual([ending, ending])
    expect(await place.running()).toEqual([])
  })

test('a panel that was killed is started again and nothing is lost', async ({ openPanel, guard, place }) => {
  asProcesses(OUTLIVES)
  guard.allow(/WebSocket connection to .* failed/)
  const first = await openPanel()
  await createAndStart(first.page)
  await openConsole(first.page)
  await sendCommand(first.page, 'say before the crash')
  await expect(row(first.page, '[Server] before the crash')).toBeVisible()
  await first.kill()

  const again = await openPanel({ data: first.data })
  await serverLink(again.page, 'My server').click()
  await expect(status(again.page)).toHaveText('Offline', SLOWLY)
  await openConsole(again.page)
  await expect(row(again.page, '[Server] before the crash')).toBeVisible()
  await expect(row(again.page, 'Saving worlds')).toBeVisible()
  expect((await place.running()).filter(({ command }) => command.includes('demo-launcher'))).toEqual([])
  await power(again.page, 'Start').click()
  await expect(status(again.page)).toHaveText('Online', SLOWLY)
})

test('a panel that is started while the service of the one before still saves waits for it', async ({
  openPanel,
  place,
  guard,
}) => {
  asProcesses(OUTLIVES)
  guard.allow(/WebSocket connection to .* failed/)
  const env = { WHEELHOUSE_SCRIPT: FLOOD }
  const first = await openPanel({ env })
  await first.page.getByRole('button', { name: 'This computer' }).click()
  await first.page.getByRole('radio', { name: 'Flood' }).check()
  await first.page.getByRole('button', { name: 'Create', exact: true }).click()
  await power(first.page, 'Start').click()
  await expect(status(first.page)).toHaveText('Online', SLOWLY)
  // Held still, it takes as long to stop as we like: a large world.
  const slow = await place.pidOf(FLOOD)
  process.kill(slow, 'SIGSTOP')
  await first.kill()

  const { page } = await openPanel({ data: first.data, env })
  await expect(serverLink(page, 'My server')).toBeVisible()
  await expect(connectionLine(page)).toContainText('is starting')
  process.kill(slow, 'SIGCONT')
  await expect(connectionLine(page)).toBeEmpty(SLOWLY)
  await serverLink(page, 'My server').click()
  await expect(status(page)).toHaveText('Offline')
  await openConsole(page)
  await expect(row(page, 'The server has stopped.')).toBeVisible()
})

test('a service of this computer that dies is started again once, and after that by a button', async ({
  openPanel,
  place,
}) => {
  asProcesses(OUTLIVES)
  const killService = async () => {
    const service = await place.pidOf('service.js')
    process.kill(service, 'SIGKILL')
    return service
  }
  const { page } = await openPanel()
  await createAndStart(page)
  await killService()
  await expect(connectionLine(page)).toContainText(/starting|Offline/)
  await expect(connectionLine(page)).toBeEmpty(SLOWLY)
  // Its server was stopped before anything else could open the world.
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  expect((await place.running()).filter(({ command }) => command.includes('demo-launcher'))).toEqual([])

  await killService()
  await expect(connectionLine(page)).toContainText(/Offline.*as of/)
  await expect(serverLink(page, 'My server')).toBeVisible()
  await page.getByRole('contentinfo').getByRole('button', { name: 'Try again' }).click()
  await expect(connectionLine(page)).toBeEmpty(SLOWLY)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
})
