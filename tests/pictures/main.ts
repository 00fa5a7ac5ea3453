// npm run pictures: makes the README's pictures from the running program, with real players on a real server.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import mineflayer from 'mineflayer'
import { startBench } from '../bench/panel.ts'

/** How long the graphs are given to become graphs, in ms. */
const RUN_FOR = 80_000
const folder = join(import.meta.dirname, '../../docs/pictures')
const said = { Ada: 'Morning!', Grace_H: 'Who took my boat?', Linus42: 'Not me' }

const panel = await startBench()
try {
  const page = await panel.context.newPage()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(panel.address)
  const main = page.getByRole('main')
  await page.getByRole('button', { name: 'This computer' }).click()
  await main.getByRole('button', { name: 'Create server' }).click()
  await main.getByLabel('Name').fill('Meadow')
  await main.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
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
  await page.getByLabel('Command').fill('list')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(1000)
  await take(page, 'console')
} finally {
  await panel.close()
}
// The players would go on trying to come back.
process.exit()

async function take(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  }
}
