import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { KEY, PterodactylPanel } from '../doubles/hosts/pterodactyl/panel.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openSection, serverLink, signInAtHost } from './fixtures/views.ts'

test('a backup that a host keeps is saved here, and with every copy if that is wanted', async ({
  openPanel,
  place,
}) => {
  const looks = new Looks()
  const host = await PterodactylPanel.open()
  place.atEnd(() => host.close())
  const [files, archive] = [place.at('server'), place.at('archive')]
  mkdirSync(files)
  writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n')
  writeFileSync(archive, 'An archive')
  const backup = { uuid: 'b-1', name: 'Other', locked: false, done: true, file: archive }
  host.add(files, { backups: [backup], state: 'offline' })

  const { page } = await openPanel()
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await signInAtHost(page, { address: host.address, secret: KEY })
  await serverLink(page, 'Survival').click()
  await openSection(page, 'Backups')
  await page.getByRole('row', { name: /Other/ }).click({ button: 'right' })
  await looks.at(page, 'a backup at a host')
  await page.getByRole('menuitem', { name: 'Save to this computer' }).click()
  await page.getByRole('button', { name: 'Transfers' }).click()
  await expect(page.getByText('Other.tar.gz').first()).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Set up…' }).click()
  const copies = page.getByRole('dialog', { name: 'On this computer too' })
  await copies.getByRole('checkbox', { name: /Save the host’s own backups too/ }).check()
  await copies.getByRole('button', { name: 'Copy now' }).click()
  await expect(copies.getByText(/Saved so far: 1 \(10.bytes\)/)).toBeVisible()
  await looks.atDialog(page, 'copies of a server at a host')
  looks.expectNothing()
})
