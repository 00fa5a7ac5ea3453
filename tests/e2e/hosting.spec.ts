import { hostingOf } from '../doubles/hosts/pterodactyl/hosting-routes.ts'
import { KEY, PterodactylPanel } from '../doubles/hosts/pterodactyl/panel.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { serverLink, signInAtHost, tab } from './fixtures/views.ts'

test('what a host has for a server is in its settings: variables, databases, ports', async ({
  openPanel,
  place,
}) => {
  const looks = new Looks()
  const host = await PterodactylPanel.open()
  place.atEnd(() => host.close())
  const server = host.add(place.at('server'), { state: 'offline' })
  const hosting = hostingOf(server)

  const { page } = await openPanel()
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await signInAtHost(page, { address: host.address, secret: KEY })
  await serverLink(page, 'Survival').click()
  await tab(page, 'Settings').click()
  const sections = page.getByRole('navigation', { name: 'Settings sections' })

  await sections.getByRole('link', { name: 'Startup' }).click()
  const version = page.getByLabel('Minecraft Version')
  await expect(version).toHaveValue('latest')
  await looks.at(page, 'startup of a server at a host')
  await version.fill('1.21.4')
  await page.getByLabel('Sight Range').fill('99')
  await expect(page.getByText('Use at most 32.')).toBeVisible()
  await page.getByLabel('Sight Range').fill('12')
  await page.getByLabel('Java version').selectOption('Java 17')
  await page.getByLabel('Server Jar File').fill('server.exe')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // A pattern is judged by the host; what it takes is saved all the same.
  await expect(page.getByText('The value breaks the rule regex')).toBeVisible()
  await looks.at(page, 'startup with a refused variable')
  const values = () => Object.fromEntries(hosting.variables.map(({ key, value }) => [key, value]))
  expect(values()).toMatchObject({ MINECRAFT_VERSION: '1.21.4', VIEW: '12', SERVER_JARFILE: 'server.jar' })
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(hosting.image).toBe('ghcr.io/x/java:17')

  await sections.getByRole('link', { name: 'Databases' }).click()
  await looks.at(page, 'no databases at a host')
  await page.getByRole('button', { name: 'New database' }).click()
  const creating = page.getByRole('dialog', { name: 'New database' })
  await creating.getByLabel('Name').fill('shop')
  await creating.getByLabel('Name').press('Enter')
  await expect(page.getByRole('heading', { name: 's7_shop' })).toBeVisible()
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByText(hosting.databases[0]!.password)).toBeVisible()
  await looks.at(page, 'a database at a host')

  await sections.getByRole('link', { name: 'Ports' }).click()
  await page.getByRole('button', { name: 'Add port' }).click()
  await page.getByRole('button', { name: 'Note for play.example.com:25566' }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('Web map')
  await page.getByRole('dialog').getByLabel('Note').press('Enter')
  await expect(page.getByText('Web map', { exact: true })).toBeVisible()
  await looks.at(page, 'ports at a host')
  await page.getByRole('button', { name: 'Make play.example.com:25566 the primary port' }).click()
  await expect.poll(() => hosting.primary).toBe(2)

  await sections.getByRole('link', { name: 'Startup' }).click()
  await page.getByRole('button', { name: 'Reinstall…' }).click()
  const asking = page.getByRole('dialog', { name: 'Reinstall Survival?' })
  await expect(asking).toContainText('This can’t be undone.')
  await looks.at(page, 'before a server is installed again')
  await asking.getByRole('button', { name: 'Reinstall' }).click()
  await expect.poll(() => hosting.reinstalls).toBe(1)
  looks.expectNothing()
})
