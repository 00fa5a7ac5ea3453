import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { railPart, serverLink } from './fixtures/views.ts'

const NAMES = ['Castle', 'Island', 'Lobby', 'Mines', 'Survival']

/** The rows of this computer's part of the list, as they stand: folders and servers by their names. */
const rows = (page: Page) =>
  railPart(page, 'This computer')
    .locator('[data-folder], [data-server]')
    .evaluateAll((all) => all.map((one) => (one.getAttribute('data-folder') ? '/' : '') + nameIn(one)))

/** Runs in the page. */
declare function nameIn(element: Element): string

const folder = (page: Page, name: string): Locator =>
  railPart(page, 'This computer').getByRole('button', { name: new RegExp(`^${name} `), expanded: undefined })

/** Chooses from the menu of a row, by the keyboard's way to it. */
async function choose(page: Page, row: Locator, item: string): Promise<void> {
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: item }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

test('servers are put into folders and order by mouse and keys, found, marked, and told to start together', async ({
  openPanel,
}) => {
  const looks = new Looks()
  const { page } = await openPanel()
  await page.addInitScript(() => {
    Object.assign(window, {
      nameIn: (one: Element) =>
        (one.querySelector('bdi') ?? one.querySelector('span.truncate'))?.textContent.trim() ?? '',
    })
  })
  await page.reload()
  await page.evaluate(async (names) => {
    const connected = await window.panel.call('connections.this-computer', undefined)
    if (!connected.ok) throw new Error(connected.problem.message)
    for (const name of names)
      await window.panel.call('operation.send', {
        operation: 'servers.create',
        connectionId: connected.value.id,
        body: { name, software: { id: 'demo', version: '1.0' }, memoryMb: 256 },
      } as never)
  }, NAMES)
  for (const name of NAMES) await expect(serverLink(page, name)).toBeVisible()
  const list = page.getByRole('navigation', { name: 'Servers' })
  await list.hover()
  await expect(list).toHaveAttribute('data-tools', '')
  const before = await rows(page)
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = before

  await test.step('a folder is made of a server, and another server dropped into it', async () => {
    await choose(page, serverLink(page, third), 'Move to folder…')
    await page.getByLabel('Name').fill('Friends')
    await looks.at(page, 'rail, move')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(() => rows(page)).toEqual([first, second, fourth, fifth, '/Friends', third])
    await serverLink(page, first).dragTo(folder(page, 'Friends'))
    await expect.poll(() => rows(page)).toEqual([second, fourth, fifth, '/Friends', third, first])
    // Before another one, and back by the notice.
    await serverLink(page, fifth).dragTo(serverLink(page, second), { targetPosition: { x: 60, y: 4 } })
    await expect.poll(() => rows(page)).toEqual([fifth, second, fourth, '/Friends', third, first])
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(() => rows(page)).toEqual([second, fourth, fifth, '/Friends', third, first])
  })

  await test.step('by keys alone, with what was done read out', async () => {
    await serverLink(page, second).focus()
    await page.keyboard.press('Control+Shift+ArrowDown')
    await expect.poll(() => rows(page)).toEqual([fourth, second, fifth, '/Friends', third, first])
    await expect(serverLink(page, second)).toBeFocused()
    await expect(page.getByText(`${second}: position 2 of 3`)).toBeAttached()
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menu')).toBeVisible()
    await looks.at(page, 'rail, menu')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows(page)).toEqual([second, fourth, fifth, '/Friends', third, first])
    await folder(page, 'Friends').focus()
    await page.keyboard.press('F2')
    await page.getByLabel('Name').fill('Family')
    await page.keyboard.press('Enter')
    await expect(folder(page, 'Family')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('what is folded is found, and stays folded in the next window', async () => {
    await folder(page, 'Family').click()
    await expect(serverLink(page, third)).toHaveCount(0)
    await page.getByRole('searchbox').fill(third)
    await expect(serverLink(page, third)).toBeVisible()
    await page.getByRole('searchbox').fill('')
    await expect(serverLink(page, third)).toHaveCount(0)
    await page.reload()
    await expect.poll(() => rows(page)).toEqual([second, fourth, fifth, '/Family'])
    await folder(page, 'Family').click()
    await expect(serverLink(page, third)).toBeVisible()
  })

  await test.step('a color and a symbol', async () => {
    await list.hover()
    await expect(list).toHaveAttribute('data-tools', '')
    await choose(page, serverLink(page, third), 'Color and symbol…')
    await page.getByText('Violet').click()
    await page.getByLabel('Symbol').fill('🏰')
    await looks.at(page, 'rail, look')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(serverLink(page, third).getByText('🏰')).toBeVisible()
    await choose(page, serverLink(page, fourth), 'Color and symbol…')
    await page.getByText('Orange').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  const bar = page.getByRole('group', { name: 'Selected servers' })
  const dialog = page.getByRole('dialog')
  const result = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  await test.step('several are started together, each with its result', async () => {
    await serverLink(page, second).click({ modifiers: ['Control'] })
    await serverLink(page, fifth).click({ modifiers: ['Shift'] })
    await expect(bar).toContainText('3 selected')
    await looks.at(page, 'rail, selected')
    await bar.getByRole('button', { name: 'Start', exact: true }).click()
    for (const name of [second, fourth, fifth]) await expect(result(name)).toContainText('Accepted')
    for (const name of [second, fourth, fifth])
      await expect(result(name)).toContainText('Online', { timeout: 20_000 })
    await expect(dialog.getByRole('status')).toHaveText('3 servers told to start.')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('a whole folder too, and those that cannot are left out in words', async () => {
    await choose(page, folder(page, 'Family'), 'Select 2 servers')
    await expect(bar).toContainText('5 selected')
    await bar.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(result(third)).toContainText('Accepted')
    await expect(result(second)).toContainText('Not sent: The server is already running.')
    await expect(dialog.getByRole('status')).toHaveText('2 servers told to start. 3 left out.')
    await expect(result(first)).toContainText('Online', { timeout: 20_000 })
    await looks.at(page, 'rail, results')
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Kill' }).click()
    await looks.at(page, 'rail, kill')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await bar.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.keyboard.press('Escape')
    await list.getByRole('link', { name: first }).focus()
    await page.keyboard.press('Escape')
    await expect(bar).toHaveCount(0)
  })

  await test.step('removing the folder loses no server, and can be undone', async () => {
    await choose(page, folder(page, 'Family'), 'Remove folder')
    await expect.poll(() => rows(page)).toEqual([second, fourth, fifth, third, first])
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(() => rows(page)).toEqual([second, fourth, fifth, '/Family', third, first])
  })
  looks.expectNothing()
})
