// npm run pictures: makes the pictures of README and docs from the running program, with real players on a real server.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import mineflayer from 'mineflayer'
import { ownRunFolder } from '../../build/scripts/run-folder.js'
import { presets } from '../../src/contract/rules/scopes.ts'
import { call, startBench } from '../bench/panel.ts'
import { openAccount } from '../e2e/fixtures/views.ts'
import { startService } from './service.ts'

/** How long the graphs are given to become graphs, in ms. */
const RUN_FOR = 80_000
/** Bytes of one picture: whoever reads a page loads two of them. */
const MOST = 150_000
const folder = join(import.meta.dirname, '../../docs/pictures')
const said = { Ada: 'Morning!', Grace_H: 'Who took my boat?', Linus42: 'Not me' }

ownRunFolder()
const data = await mkdtemp(join(tmpdir(), 'wheelhouse-pictures-'))
const service = await startService(data)
const panel = await startBench()
try {
  const page = await panel.context.newPage()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(panel.address)
  await takeServer(page)
  await takeService(page)
  await expectSmall()
} finally {
  await panel.close()
  await service.close()
  await rm(data, { recursive: true, force: true })
}
// The players would go on trying to come back.
process.exit()

/** A server of this computer, with people on it. */
async function takeServer(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await page.getByRole('button', { name: 'This computer' }).click()
  await main.getByLabel('Name').fill('Meadow')
  await main.locator('button[type=submit]').click()
  await page
    .getByRole('status')
    .filter({ hasText: /^Online$/ })
    .waitFor()
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(await main.innerText())?.[1])
  for (const [username, words] of Object.entries(said)) {
    const player = mineflayer.createBot({ host: '127.0.0.1', port, username, version: '1.21.4' })
    player.once('spawn', () => player.chat(words))
    await page.waitForTimeout(RUN_FOR / 5)
  }
  await page.waitForTimeout(RUN_FOR / 5)
  await take(page, 'overview')
  await page.getByRole('tab', { name: 'Console' }).click()
  await page.getByLabel('Command', { exact: true }).fill('list')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(1000)
  await take(page, 'console')
  await fill(page.url())
  await page.getByRole('tab', { name: 'Files' }).click()
  await main.getByRole('row', { name: 'server.properties' }).waitFor()
  await take(page, 'files')
  await page.getByRole('tab', { name: 'Players' }).click()
  await main.getByRole('row', { name: /Grace_H/ }).dblclick()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(1000)
  await take(page, 'players')
  await page.keyboard.press('Escape')
}

/** A service on another machine: a server that is shared, and the account. */
async function takeService(page: Page): Promise<void> {
  const [ada, grace] = [await service.person('Ada'), await service.person('Grace')]
  const software = { id: 'demo', version: '1.21.4' }
  const { id = '' } = await service.ask(
    'POST',
    '/servers',
    { name: 'Harbor', software, memoryMb: 1024 },
    ada.token,
  )
  for (const [email, scopes] of [
    [grace.email, presets.operator],
    ['linus@example.org', presets.viewer],
  ])
    await service.ask('POST', `/servers/access/${id}`, { email, scopes }, ada.token)
  const response = await fetch(`${service.baseUrl}/invitations`, {
    headers: { Authorization: `Bearer ${grace.token}` },
  })
  const { items } = (await response.json()) as { items: { id: string }[] }
  await service.ask('POST', `/invitations/${items[0]?.id}`, { accept: true }, grace.token)
  const connection = await call(page, 'connections.use-token', { baseUrl: service.baseUrl, token: ada.token })
  await page.goto(`${panel.address}#/c/${connection.id}/s/${id}/settings/access`)
  await page.getByRole('row', { name: 'linus@example.org' }).waitFor()
  await take(page, 'access')
  await service.ask('POST', `/servers/power/${id}`, { action: 'start' }, grace.token)
  await page
    .getByRole('banner')
    .or(page.getByRole('status'))
    .filter({ hasText: /^Online$/ })
    .waitFor()
  for (const command of ['whitelist add Ada', 'say Good evening'])
    await service.ask('POST', `/servers/command/${id}`, { command }, grace.token)
  await service.ask('POST', `/servers/power/${id}`, { action: 'restart' }, grace.token)
  const code = await service.promocode('--name', 'Launch week', '--servers', '2', '--lasts', '30')
  await service.ask('POST', '/promocodes/activate', { code }, ada.token)
  await page.goto(`${panel.address}#/c/${connection.id}/s/${id}/settings/activity`)
  await page.getByRole('main').getByText('restarted').first().waitFor()
  await take(page, 'activity')
  await page.goto(`${panel.address}#/notifications`)
  await page.getByText('Grace restarted Harbor').waitFor()
  await take(page, 'notifications')
  await openAccount(page, 'Plan')
  await page.getByText('Launch week').waitFor()
  await take(page, 'promocodes')
  await openAccount(page, 'Security')
  await page.getByText('Two-factor authentication').first().waitFor()
  await take(page, 'account')
}

/** What lies in the folder of most servers. */
async function fill(address: string): Promise<void> {
  const server = join(panel.data, 'service/servers', /\/s\/([\w-]+)/.exec(address)?.[1] ?? '')
  for (const name of ['logs', 'plugins', 'world_nether', 'world_the_end'])
    await mkdir(join(server, name), { recursive: true })
  await writeFile(join(server, 'eula.txt'), 'eula=true\n')
  await writeFile(join(server, 'server.properties'), 'motd=Meadow\nonline-mode=false\n')
  await writeFile(join(server, 'server-icon.png'), new Uint8Array(7400))
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(400)
    // Colors that still change from one theme to the other would be those of neither.
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), animations: 'disabled' })
  }
}

async function expectSmall(): Promise<void> {
  for (const name of await readdir(folder)) {
    const { size } = await stat(join(folder, name))
    if (size > MOST) throw new Error(`${name} has ${size} bytes; a picture has ${MOST} at most.`)
  }
}
