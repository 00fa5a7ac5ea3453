import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { javaServerJar } from '../doubles/java-server.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import { NO_SFTP, startSftp } from '../fixtures/sftp-server.ts'
import { searchField } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { power, serverLink, status, tab } from './fixtures/views.ts'

test('a server whose files are reached by SFTP has the status that its port tells, and is stopped by a command line', async ({
  openPanel,
  place,
}) => {
  test.skip(NO_SFTP !== null, NO_SFTP ?? '')
  const looks = new Looks()
  const host = await startSftp(place.at('.'))
  place.atEnd(() => host.close())
  const privateKey = place.at('own-key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', privateKey])
  await host.accept(readFileSync(`${privateKey}.pub`, 'utf8'))
  const files = place.at('server')
  mkdirSync(path.join(files, 'logs'), { recursive: true })
  writeFileSync(path.join(files, 'server.properties'), `motd=Survival\nserver-port=${ownPort()}\n`)
  writeFileSync(path.join(files, 'eula.txt'), 'eula=true\n')
  const log = path.join(files, 'logs/latest.log')
  const jar = await javaServerJar({ kind: 'vanilla', version: '1.21.4' })
  const game = spawn('java', ['-Xmx64m', '-jar', jar, 'nogui'], {
    cwd: files,
    stdio: ['pipe', openSync(log, 'a'), 'ignore'],
  })
  place.atEnd(async () => void game.kill('SIGKILL'))
  await expect.poll(() => readFileSync(log, 'utf8'), { timeout: 20_000 }).toContain('Done (')

  const { page } = await openPanel()
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await page.getByLabel('Service address').fill(`sftp://root@127.0.0.1:${host.port}${files}`)
  await page.getByLabel('Service address').press('Tab')
  const secret = page.getByLabel('Password or private key', { exact: true })
  await expect(secret).toBeFocused()
  await expect(page.getByText(/SHA256:/)).toBeVisible()
  await looks.at(page, 'sign-in to a host of SFTP')
  await secret.fill(readFileSync(privateKey, 'utf8'))
  await secret.press('Enter')

  await expect(serverLink(page, 'Survival')).toBeVisible()
  await looks.at(page, 'server of a host of SFTP')
  await serverLink(page, 'Survival').click()
  await expect(status(page)).toHaveText('Online')
  await looks.at(page, 'overview of a server over SFTP')
  await tab(page, 'Settings').click()
  await expect(page.getByRole('navigation', { name: 'Settings sections' })).toContainText(
    'What isn’t here can’t be done over SFTP.',
  )
  await looks.at(page, 'settings of a server over SFTP')

  await tab(page, 'Files').click()
  await searchField(page).fill('survival')
  await searchField(page).press('Enter')
  await page.getByRole('button', { name: 'Text in files' }).click()
  await expect(page.getByRole('list', { name: 'Search results' })).toContainText('motd=Survival')
  await looks.at(page, 'files found over SFTP')

  await tab(page, 'Console').click()
  await expect(page.getByText('Commands need RCON')).toBeVisible()
  await looks.at(page, 'console of a server over SFTP without RCON')
  await page.getByRole('link', { name: 'Set up commands' }).click()
  const plain = page.getByRole('checkbox', { name: /send them without encryption/ })
  await plain.check()
  await looks.at(page, 'commands by RCON')
  await page.reload()
  await expect(plain).toBeChecked()

  await stopByLine(page, `kill ${game.pid}`, looks)
  looks.expectNothing()
})

/** By a command line that is given for it. */
async function stopByLine(page: Page, line: string, looks: Looks): Promise<void> {
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByLabel('Stop command').fill(line)
  await looks.at(page, 'command lines of a machine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Commands saved')).toBeVisible()
  await serverLink(page, 'Survival').click()
  await expect(page.getByRole('group', { name: 'Power' }).getByRole('button')).toHaveText(['Stop'])
  await power(page, 'Stop').click()
  const dialog = page.getByRole('dialog', { name: 'Run this to stop the server?' })
  await expect(dialog).toContainText(line)
  await expect(dialog).toContainText('It runs as root on 127.0.0.1.')
  await looks.at(page, 'a command line before it runs')
  await dialog.getByRole('button', { name: 'Run' }).click()
  await expect(status(page)).toHaveText('Offline')
}
