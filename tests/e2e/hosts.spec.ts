import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { Exaroton, KEY as EXAROTON_KEY } from '../doubles/hosts/exaroton.ts'
import { KEY, PterodactylPanel } from '../doubles/hosts/pterodactyl/panel.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openConsole, openSection, power, serverLink, status } from './fixtures/views.ts'

test('at a Pterodactyl panel the game has its settings, and what its host lacks is absent', async ({
  openPanel,
  place,
}) => {
  const looks = new Looks()
  const host = await PterodactylPanel.open()
  place.atEnd(() => host.close())
  const files = place.at('server')
  mkdirSync(files)
  writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n')
  host.add(files)

  const { page } = await openPanel()
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await page.getByLabel('Service address').fill(host.address)
  await page.getByLabel('Service address').press('Tab')
  const key = page.getByLabel('API key', { exact: true })
  await expect(key).toBeFocused()
  await looks.at(page, 'sign-in with a key')
  await key.fill(KEY)
  await key.press('Enter')

  await expect(page.getByRole('heading', { level: 1, name: new URL(host.address).host })).toBeVisible()
  await expect(serverLink(page, 'Survival')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create server' })).toHaveCount(0)
  await looks.at(page, 'servers of a host')
  await serverLink(page, 'Survival').click()
  await expect(status(page)).toHaveText('Online')
  await looks.at(page, 'overview of a server at a host')
  await openSection(page, 'Game settings')
  await page.getByRole('switch', { name: 'Hardcore' }).click()
  await looks.at(page, 'settings of the game at a host')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => readFileSync(path.join(files, 'server.properties'), 'utf8'))
    .toBe('motd=Hello\nhardcore=true\n')
  await expect(page.getByRole('navigation', { name: 'Settings sections' })).toContainText(
    'Everything else is in your host’s own panel.',
  )
  // Its socket tells at once; without one, the panel's own word of its state may be half a minute old.
  await openConsole(page)
  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline')
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('button', { name: 'Enter password…' }).click()
  await expect(page.getByRole('dialog').getByText('SHA256:')).toBeVisible()
  await looks.at(page, 'password for the machines of a host')
  await page.getByRole('textbox', { name: 'Password at the panel' }).press('Escape')
  await looks.at(page, 'account at a host')
  looks.expectNothing()
})

async function signInAtExaroton(page: Page, host: Exaroton, looks: Looks): Promise<void> {
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await page.getByLabel('Service address').fill('exaroton.com')
  await page.getByLabel('Service address').press('Tab')
  const key = page.getByLabel('API key', { exact: true })
  await expect(key).toBeFocused()
  await expect(page.getByLabel('Service address')).toHaveValue('https://api.exaroton.com/v1')
  await expect(page.getByText('exaroton.com/account → API')).toBeVisible()
  await looks.at(page, 'sign-in at exaroton')
  await page.getByLabel('Service address').fill(host.base)
  await key.fill(EXAROTON_KEY)
  await key.press('Enter')
}

test('at exaroton a start of several says what it costs, and a server that stops is saved first', async ({
  openPanel,
  place,
}) => {
  const looks = new Looks()
  const host = await Exaroton.open()
  place.atEnd(() => host.close())
  host.add(place.at('server'), { name: 'Survival', players: ['Ann'] })
  host.add(place.at('none'), { name: 'Creative', status: 0 })

  const { page } = await openPanel()
  await signInAtExaroton(page, host, looks)
  await expect(serverLink(page, 'Survival')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select Creative' }).check()
  await page.getByRole('checkbox', { name: 'Select Survival' }).check()
  await page
    .getByRole('group', { name: 'Selected servers' })
    .getByRole('button', { name: 'Start', exact: true })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Start 2 servers?' })
  await expect(dialog).toContainText('1 of them is at exaroton, where a server costs credits while it runs.')
  await expect(dialog).toContainText(/Credits of \S+: 12\.5/)
  await looks.at(page, 'start of several at exaroton')
  expect(host.count('POST', '/start')).toBe(0)
  await dialog.getByRole('button', { name: 'Start 1 server' }).click()
  await expect.poll(() => host.count('POST', '/start')).toBe(1)
  await page.keyboard.press('Escape')

  await serverLink(page, 'Survival').click()
  await expect(status(page)).toHaveText('Online')
  await expect(page.getByRole('definition').filter({ hasText: /^1 GB$/ })).toBeVisible()
  await looks.at(page, 'overview of a server at exaroton')
  let isSaving = () => undefined as void
  host.onState = (state) => (state === 5 ? new Promise((resolve) => (isSaving = () => resolve())) : undefined)
  await power(page, 'Stop').click()
  await page.getByRole('button', { name: 'Stop now' }).click()
  await expect(status(page)).toHaveText('Saving')
  await looks.at(page, 'a server at exaroton that is saving')
  isSaving()
  await expect(status(page)).toHaveText('Offline')
  expect(host.count('GET', '/stop')).toBe(1)
  expect(host.faults).toEqual([])
  looks.expectNothing()
})
