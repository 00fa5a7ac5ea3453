import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { fillWithPlayers } from '../fixtures/world-of-players.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { join } from './fixtures/player.ts'
import type { Account, Service } from './fixtures/service.ts'
import { row as consoleRow, serverLink, signIn, tab } from './fixtures/views.ts'

test.use({ sharesPanel: true })

const players = (page: Page): Locator => page.getByRole('tabpanel', { name: 'Players' })
const part = (page: Page, name: string): Locator =>
  players(page).getByRole('tab', { name: new RegExp(`^${name} `) })
const row = (page: Page, name: string): Locator =>
  players(page).getByRole('row', { name: new RegExp(`^${name} `) })
const act = (page: Page, name: string): Locator =>
  players(page).getByRole('toolbar').getByRole('button', { name, exact: true })

const fillWorld = (service: Service, serverId: string) => fillWithPlayers(service.folder(serverId), 40)

/** Where a player joins the server. */
const addressOf = async (service: Service, { token }: Account, serverId: string): Promise<string> => {
  const { address } = await service.must('GET', `/servers/${serverId}`, { token })
  return `${address.host}:${address.port}`
}

test('who is on is seen at once, and what is done with them works on the real server', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Meadow')
  await service.online(ann.token, serverId)
  const address = await addressOf(service, ann, serverId)
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await tab(page, 'Players').click()
  await expect(players(page).getByRole('heading', { name: 'Nobody is online' })).toBeVisible()

  const alex = await join(place, address, 'Alex')
  const eve = await join(place, address, 'Eve')
  await expect(row(page, 'Alex')).toContainText('Online')
  await expect(row(page, 'Eve')).toBeVisible()

  // Several at once, and what each of them hears.
  await row(page, 'Alex').click()
  await row(page, 'Eve').click({ modifiers: ['ControlOrMeta'] })
  await act(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Make operator' }).click()
  await expect(page.getByText('2 players are operators')).toBeVisible()
  await part(page, 'Operators').click()
  await expect(row(page, 'Alex')).toBeVisible()
  await part(page, 'Online').click()
  await row(page, 'Alex').click()
  await act(page, 'Message…').click()
  await page.getByRole('textbox', { name: 'Message' }).fill('dinner is ready')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Message sent to Alex')).toBeVisible()

  // By the menu of the row, with a reason that the player reads.
  await row(page, 'Alex').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Kick…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('take a break')
  await page.getByRole('button', { name: 'Kick', exact: true }).click()
  expect(await alex.kicked).toContain('take a break')
  await expect(page.getByText('Alex was kicked')).toBeVisible()
  await expect(row(page, 'Alex')).toHaveCount(0)

  await row(page, 'Eve').click()
  await act(page, 'Ban…').click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('dug holes')
  await page.getByRole('combobox', { name: 'Banned for' }).selectOption('1 week')
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  expect(await eve.kicked).toContain('dug holes')
  await part(page, 'Bans').click()
  await expect(row(page, 'Eve')).toContainText('dug holes')
  await expect(row(page, 'Eve')).not.toContainText('Permanent')
  await expect(join(place, address, 'Eve')).rejects.toThrow()
  await row(page, 'Eve').click()
  await act(page, 'Lift ban').click()
  await expect(players(page).getByRole('heading', { name: 'Nobody is banned' })).toBeVisible()
  const again = await join(place, address, 'Eve')

  // When they were here is remembered.
  again.leave()
  await part(page, 'Known').click()
  await row(page, 'Eve').dblclick()
  const sheet = page.getByRole('dialog', { name: 'Eve' })
  await expect(sheet.getByRole('heading', { name: 'On the server' })).toBeVisible()
  await expect(sheet.getByRole('listitem').last()).toBeVisible()
  await page.keyboard.press('Escape')
})

test('while the server is stopped its lists are changed, and it keeps to them when it starts', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Meadow')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await tab(page, 'Players').click()
  await expect(players(page).getByRole('heading', { name: 'No players yet' })).toBeVisible()
  await part(page, 'Bans').click()
  await players(page).getByRole('button', { name: 'Ban player' }).click()
  await page.getByRole('textbox', { name: 'Player name' }).fill('Griefer')
  await page.getByRole('dialog').getByRole('button', { name: 'Ban player' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('as before')
  await expect(page.getByText('The server is not running: this takes effect when it starts.')).toBeVisible()
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(row(page, 'Griefer')).toContainText('as before')
  await part(page, 'Whitelist').click()
  await players(page).getByRole('button', { name: 'Add to whitelist' }).click()
  await page.getByRole('textbox', { name: 'Player name' }).fill('Builder')
  await page.getByRole('dialog').getByRole('button', { name: 'Add to whitelist' }).click()
  await expect(row(page, 'Builder')).toBeVisible()
  const list = JSON.parse(await readFile(path.join(service.folder(serverId), 'whitelist.json'), 'utf8'))
  expect(list).toMatchObject([{ name: 'Builder' }])

  await service.online(ann.token, serverId)
  const address = await addressOf(service, ann, serverId)
  await expect(page.getByText('The whitelist is off: everybody can join.')).toBeVisible()
  await players(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Only the players on this list can join.')).toBeVisible()
  await service.says(ann.token, serverId, 'Whitelist is now turned on')
  await expect(join(place, address, 'Griefer')).rejects.toThrow()
  await expect(join(place, address, 'Stranger')).rejects.toThrow()
  const builder = await join(place, address, 'Builder')
  await part(page, 'Online').click()
  await expect(row(page, 'Builder')).toBeVisible()
  builder.leave()
  await expect(players(page).getByRole('heading', { name: 'Nobody is online' })).toBeVisible()
})

test('a name in the overview and in the console leads to the same actions', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Meadow')
  await service.online(ann.token, serverId)
  const address = await addressOf(service, ann, serverId)
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  const alex = await join(place, address, 'Alex')
  const chip = page.getByRole('region', { name: 'Online' }).getByRole('button', { name: 'Alex' })
  await chip.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Make operator' }).click()
  await expect(page.getByText('Alex is an operator')).toBeVisible()
  // By keyboard too.
  await chip.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Remove as operator' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chip).toBeFocused()

  await tab(page, 'Console').click()
  const line = consoleRow(page, 'Alex joined the game')
  await expect(line).toBeVisible()
  // What is drawn lies below what takes the pointer: it is pointed at where the name stands.
  const at = await line.evaluate((drawn) => {
    const walker = document.createTreeWalker(drawn, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const begin = (node.nodeValue ?? '').indexOf('Alex')
      if (begin < 0) continue
      const range = document.createRange()
      range.setStart(node, begin)
      range.setEnd(node, begin + 'Alex'.length)
      const { left, top, width, height } = range.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    }
    throw new Error('The name is not drawn.')
  })
  await page.mouse.click(at.x, at.y, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Kick…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('goodbye')
  await page.getByRole('button', { name: 'Kick', exact: true }).click()
  expect(await alex.kicked).toContain('goodbye')
})

test('the players can be read in both themes and reached by keyboard', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Meadow')
  await fillWorld(service, serverId)
  const { page } = await openPanel()
  const looks = new Looks()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await tab(page, 'Players').click()
  await expect(row(page, 'Builder_1')).toBeVisible()
  await looks.at(page, 'players')
  await part(page, 'Bans').click()
  await expect(row(page, 'Builder_3')).toBeVisible()
  await looks.at(page, 'players, bans')
  await part(page, 'Whitelist').click()
  await expect(page.getByRole('button', { name: 'Turn on' })).toBeVisible()
  await looks.at(page, 'players, whitelist')
  await part(page, 'Known').click()
  await players(page).getByRole('grid', { name: 'Players' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Ban…' })).toBeVisible()
  await page.keyboard.press('Escape')
  await act(page, 'Ban…').click()
  await looks.atDialog(page, 'players, ban')
  await players(page).getByRole('grid', { name: 'Players' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Most mined')).toBeVisible()
  await looks.atDialog(page, 'players, sheet')
  await page.getByRole('searchbox', { name: 'Search players' }).fill('nobody at all')
  await expect(page.getByText('No player matches')).toBeVisible()
  await looks.at(page, 'players, none found')
  looks.expectNothing()
})
