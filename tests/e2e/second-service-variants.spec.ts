import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { account, type Knobs } from '../doubles/services/second-service/second-service.ts'
import { code, fileRow, openEntry, openFiles, transferred, uploadFiles } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import type { Place } from './fixtures/place.ts'
import { openConnection, type Second, startSecond } from './fixtures/second.ts'
import {
  openAccount,
  openConsole,
  row,
  sendCommand,
  serverLink,
  signIn,
  status,
  tab,
} from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

/** Reads a server's console, and sends a command that has to run once and be seen. */
async function command(page: Page, service: Second): Promise<void> {
  await openConsole(page)
  await expect(row(page, 'Done (2.5s)!')).toBeVisible()
  await sendCommand(page, 'say hello')
  await expect(row(page, '> say hello')).toBeVisible()
  expect(service.ran).toEqual(['say hello'])
  await expect(page.getByText(/Not sent|It is not known whether/)).toHaveCount(0)
}

/** Reads a file of a server in the editor, and uploads another one. */
async function files(page: Page, service: Second, place: Place, server: string): Promise<void> {
  await openFiles(page, server)
  await openEntry(page, 'server.properties')
  await expect(code(page, 'server.properties')).toContainText('motd=Hello')
  await openFiles(page, server)
  const mine = place.at('notes.txt')
  await writeFile(mine, 'Mine\n')
  await uploadFiles(page, mine)
  await transferred(page, 'notes.txt')
  expect(service.file(1, 'notes.txt')).toBe('Mine\n')
  await expect(fileRow(page, 'notes.txt')).toBeVisible()
}

/** Goes to a control by the Tab key, as somebody without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  for (let steps = 0; steps < 60; steps++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('It cannot be reached by Tab')
}

/** Other names, envelopes, numeric ids and epoch times, and no live updates. */
const different: Partial<Knobs> = {
  ...{ names: 'snake', list: 'data', value: 'data', ids: 'number', times: 'seconds' },
  ...{ lines: 'number', events: 'absent' },
}
const asked = /^Live updates aren’t available from this service\. Checked every \d+ s\.$/
const places = /^This service answers differently in \d+ places\.$/

test('a service of other names, envelopes, numeric ids and epoch times, without live updates, is used from sign-in to files', async ({
  openPanel,
  place,
}) => {
  const looks = new Looks()
  const service = await startSecond(place, different)
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, account)
  await expect(serverLink(page, 'Creative')).toContainText('Offline')
  await serverLink(page, 'Survival').click()
  await expect(status(page)).toHaveText('Online')
  await expect(page.getByText(asked)).toBeVisible()
  await expect(page.getByRole('img', { name: /^CPU/ })).toBeVisible()
  await looks.at(page, 'overview without live updates')
  await command(page, service)
  await expect(page.getByText(asked)).toBeVisible()
  await looks.at(page, 'console without live updates')
  await files(page, service, place, 'Survival')
  await openAccount(page, 'Advanced')
  await expect(page.getByText(places)).toBeVisible()
  await expect(page.getByRole('region', { name: places })).toContainText('servers.list')
  await looks.at(page, 'connection that answers differently')
  looks.expectNothing()
})

test('where no list of servers is given, a server is added by its ID with the keyboard alone and used', async ({
  openPanel,
  place,
}) => {
  const looks = new Looks()
  const service = await startSecond(place, { servers: 'absent' })
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, account)
  await expect(
    page.getByRole('heading', { name: 'This service doesn’t offer a list of servers' }),
  ).toBeVisible()
  await looks.at(page, 'connection without a list')
  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Add server by ID' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a server by its ID' })
  const field = dialog.getByLabel('Server ID')
  await expect(field).toBeFocused()
  // However the words around the button stand, those of a dialog begin at its left.
  await expect(dialog).toHaveCSS('text-align', 'start')
  await looks.at(page, 'add by ID')

  // An ID that the service does not know is added only by somebody who insists.
  await page.keyboard.type('no such server')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Add anyway' })).toBeVisible()
  await looks.at(page, 'add by ID that is not known')
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(service.idOf(1))
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Survival' })).toBeVisible()
  await expect(status(page)).toHaveText('Online')
  await expect(serverLink(page, 'Survival')).toBeVisible()
  await command(page, service)
  await files(page, service, place, 'Survival')
  await openConnection(page, service)
  await expect(page.getByRole('button', { name: 'Remove Survival from the list' })).toBeVisible()
  await looks.at(page, 'connection with an added server')

  // A dialog stays when the window becomes so narrow that the button it came from folds away.
  const folding = page
    .getByRole('navigation', { name: 'Servers' })
    .getByRole('button', { name: 'Add server by ID' })
  await folding.click()
  await expect(dialog).toBeVisible()
  await page.setViewportSize({ width: 720, height: 600 })
  await expect(folding).toHaveCount(0)
  await expect(dialog).toBeVisible()
  looks.expectNothing()
})

test('a command that a service answers with text, and whose live updates fail, is not said to be unsent', async ({
  openPanel,
  place,
}) => {
  const service = await startSecond(place, { events: 'failing', writes: 'text' })
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, account)
  await serverLink(page, 'Survival').click()
  await expect(status(page)).toHaveText('Online')
  const polled = page.getByText(/^Live updates from this service aren’t working right now\./)
  await expect(polled).toBeVisible()
  await command(page, service)
  await expect(polled).toBeVisible()
  await tab(page, 'Overview').click()
  await expect(page.getByRole('img', { name: /^CPU/ })).toBeVisible()
  await files(page, service, place, 'Survival')
})
