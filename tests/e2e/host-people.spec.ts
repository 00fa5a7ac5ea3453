import { PterodactylPanel, KEY } from '../doubles/hosts/pterodactyl/panel.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openSection, section, serverLink, signInAtHost } from './fixtures/views.ts'

const NIGHTLY = {
  ...{ id: 5, name: 'Nightly', cron: ['0', '5', '*', '*', '*'], active: true, onlineOnly: true },
  ...{ processing: false, lastRun: '2026-11-01T05:00:00+01:00' },
  tasks: [
    { id: 1, action: 'command', payload: 'say Restart soon', time_offset: 0, continue_on_failure: true },
    { id: 2, action: 'backup', payload: 'cache/*', time_offset: 60, continue_on_failure: false },
    { id: 3, action: 'delete_files', payload: 'cache', time_offset: 0, continue_on_failure: false },
  ],
}
const entry = (event: string, actor: string | null, properties: object, minute: number) => ({
  ...{ event, actor, properties, ip: '203.0.113.7' },
  timestamp: `2026-11-01T10:${String(minute).padStart(2, '0')}:00+00:00`,
})

test('people, schedules and activity of a server at a host are its own', async ({ openPanel, place }) => {
  const looks = new Looks()
  const host = await PterodactylPanel.open()
  place.atEnd(() => host.close())
  const ben = { uuid: 'b-1', username: 'ben', email: 'ben@example.com', permissions: ['control.start'] }
  const server = host.add(place.at('server'), {
    users: [ben],
    schedules: [NIGHTLY],
    log: [
      entry('server:power.start', 'steve', {}, 5),
      entry('server:console.command', 'ben', { command: 'say hi' }, 4),
      entry('server:file.write', 'steve', { file: 'server.properties' }, 3),
      entry('server:subuser.create', 'steve', { email: 'ben@example.com', permissions: [] }, 2),
      entry('server:plugin.of-the-host', null, { a: 1 }, 1),
    ],
  })

  const { page } = await openPanel()
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await signInAtHost(page, { address: host.address, secret: KEY })
  await serverLink(page, 'Survival').click()
  const dialog = page.getByRole('dialog')

  await openSection(page, 'Access')
  const people = page.getByRole('table', { name: 'Who can use this server' })
  await expect(people.getByRole('row', { name: 'ben' })).toBeVisible()
  await looks.at(page, 'people of a server at a host')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog.getByLabel('Email address').fill('cleo@example.com')
  await looks.at(page, 'adding somebody at a host')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(people.getByRole('row', { name: 'cleo' })).toBeVisible()
  expect(server.users.map(({ email }) => email)).toEqual(['ben@example.com', 'cleo@example.com'])

  await section(page, 'Schedules').click()
  await expect(page.getByRole('list', { name: 'Schedules' })).toContainText('Nightly')
  await looks.at(page, 'schedules of a host')
  await page.getByRole('button', { name: 'New schedule' }).click()
  await looks.at(page, 'templates of schedules at a host')
  await page.getByRole('menuitem', { name: 'Nightly backup' }).click()
  await looks.at(page, 'a new schedule at a host')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Run Nightly backup now' }).click()
  await expect.poll(() => server.schedules.at(-1)?.processing).toBe(true)
  await looks.at(page, 'a schedule of a host that runs')

  await section(page, 'Activity').click()
  await expect(page.getByText('say hi')).toBeVisible()
  await looks.at(page, 'activity at a host')
  looks.expectNothing()
})
