import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { railPart, serverLink } from './fixtures/views.ts'

const NAMES = ['Creative', 'Meadow', 'Other', 'Plain', 'Survival']

/** The rows of this computer's part of the list, as they stand: folders (with a slash) and servers by their names. */
const rows = (page: Page) =>
  railPart(page, 'This computer')
    .locator('[data-folder], [data-server]')
    .evaluateAll((all) =>
      all.map((one) =>
        one.hasAttribute('data-folder')
          ? `/${one.querySelector('bdi')?.textContent}`
          : (one.querySelector('.truncate')?.textContent.trim() ?? ''),
      ),
    )

const folder = (page: Page, name: string): Locator =>
  railPart(page, 'This computer').getByRole('button', { name: new RegExp(`^${name} \\d`) })

const bar = (page: Page): Locator => page.getByRole('group', { name: 'Selected servers' })

const list = (page: Page): Locator => page.getByRole('navigation', { name: 'Servers' })

/** The list's tools come when it is touched first. */
async function touch(page: Page): Promise<void> {
  await list(page).hover()
  await expect(list(page)).toHaveAttribute('data-tools', '')
}

/** Chooses from the menu of a row. */
async function choose(page: Page, row: Locator, item: string): Promise<void> {
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: item }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

const closed = (page: Page) => expect(page.getByRole('dialog')).toHaveCount(0)

/** What a person has before them, and the names of the servers in the order in which they stood at first. */
interface Given {
  page: Page
  looks: Looks
  names: readonly [string, string, string, string, string]
}

async function fiveServers(page: Page): Promise<Given['names']> {
  await page.evaluate(async (names) => {
    const connected = await window.panel.call('connections.this-computer', undefined)
    if (!connected.ok) throw new Error(connected.problem.message)
    for (const name of names) {
      const created = await window.panel.call('operation.send', {
        operation: 'servers.create',
        connectionId: connected.value.id,
        body: { name, software: { id: 'demo', version: '1.20.4' }, memoryMb: 256 },
      })
      if (!created.ok) throw new Error(created.problem.message)
    }
  }, NAMES)
  for (const name of NAMES) await expect(serverLink(page, name)).toBeVisible()
  return (await rows(page)) as unknown as Given['names']
}

/** A folder is made of a server, another one is dropped into it; one is dropped before another one, and put back. */
async function byMouse({ page, looks, names: [a, b, c, d, e] }: Given): Promise<void> {
  await choose(page, serverLink(page, c), 'Move to folder…')
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
  await looks.at(page, 'rail, move')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect.poll(() => rows(page)).toEqual([a, b, d, e, '/Shop', c])
  await serverLink(page, a).dragTo(folder(page, 'Shop'))
  await expect.poll(() => rows(page)).toEqual([b, d, e, '/Shop', c, a])
  await serverLink(page, e).dragTo(serverLink(page, b), { targetPosition: { x: 60, y: 4 } })
  await expect.poll(() => rows(page)).toEqual([e, b, d, '/Shop', c, a])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(() => rows(page)).toEqual([b, d, e, '/Shop', c, a])
  // Out of the folder again, onto the name of the connection; and back.
  await serverLink(page, a).dragTo(railPart(page, 'This computer').getByRole('link').first())
  await expect.poll(() => rows(page)).toEqual([b, d, e, a, '/Shop', c])
  await serverLink(page, a).dragTo(folder(page, 'Shop'))
  await expect.poll(() => rows(page)).toEqual([b, d, e, '/Shop', c, a])
}

/** Moved, by keys and by the menu that keys open, and read out; a folder is renamed. */
async function byKeys({ page, looks, names: [a, b, c, d, e] }: Given): Promise<void> {
  await serverLink(page, b).focus()
  await page.keyboard.press('Control+Shift+ArrowDown')
  await expect.poll(() => rows(page)).toEqual([d, b, e, '/Shop', c, a])
  await expect(serverLink(page, b)).toBeFocused()
  await expect(page.getByText(`${b}: position 2 of 3`)).toBeAttached()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
  await looks.at(page, 'rail, menu')
  await expect(page.getByRole('menuitem').first()).toHaveText('Start')
  await page.keyboard.press('Escape')
  await expect(serverLink(page, b)).toBeFocused()
  await page.keyboard.press('Control+Shift+ArrowUp')
  await expect.poll(() => rows(page)).toEqual([b, d, e, '/Shop', c, a])
  await folder(page, 'Shop').focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Far away')
  await page.keyboard.press('Enter')
  await expect(folder(page, 'Far away')).toBeVisible()
  await closed(page)
}

/** The search finds what is in a folded folder, which is folded in the next window as well. */
async function folded({ page, names: [, b, c, d, e] }: Given): Promise<void> {
  await folder(page, 'Far away').click()
  await expect(serverLink(page, c)).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.type(c)
  await expect(page.getByRole('option').first()).toContainText(c)
  await page.keyboard.press('Escape')
  await closed(page)
  await page.reload()
  await expect.poll(() => rows(page)).toEqual([b, d, e, '/Far away'])
  await folder(page, 'Far away').click()
  await expect(serverLink(page, c)).toBeVisible()
}

async function marked({ page, looks, names: [, , c, d] }: Given): Promise<void> {
  await touch(page)
  await choose(page, serverLink(page, c), 'Color and symbol…')
  await page.getByText('Violet').click()
  await page.getByLabel('Symbol', { exact: true }).fill('🏰')
  await looks.at(page, 'rail, look')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(serverLink(page, c).getByText('🏰')).toBeVisible()
  await choose(page, serverLink(page, d), 'Color and symbol…')
  await page.getByText('Orange').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await closed(page)
}

/** Three that are picked in the table, then the others with them: each has its result. */
async function started({ page, looks, names: [a, b, c, d, e] }: Given): Promise<void> {
  const dialog = page.getByRole('dialog')
  const result = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  const box = (name: string) => page.getByRole('main').getByRole('checkbox', { name: `Select ${name}` })
  await list(page).getByRole('link', { name: 'All servers' }).click()
  for (const name of [b, d, e]) await box(name).click()
  await expect(bar(page)).toContainText('3 selected')
  await looks.at(page, 'all servers, selected')
  await bar(page).getByRole('button', { name: 'Start', exact: true }).click()
  for (const name of [b, d, e]) await expect(result(name)).toContainText('Sent')
  for (const name of [b, d, e]) await expect(result(name)).toContainText('Online', { timeout: 20_000 })
  await expect(dialog.getByRole('status')).toHaveText('3 servers told to start.')
  await page.keyboard.press('Escape')
  await closed(page)

  for (const name of [a, c]) await box(name).click()
  await expect(bar(page)).toContainText('5 selected')
  await bar(page).getByRole('button', { name: 'Start', exact: true }).click()
  await expect(result(c)).toContainText('Sent')
  await expect(result(b)).toContainText('The server is already running.')
  await expect(dialog.getByRole('status')).toHaveText('2 servers told to start. 3 left out.')
  await expect(result(a)).toContainText('Online', { timeout: 20_000 })
  await looks.at(page, 'rail, results')
  await page.keyboard.press('Escape')
}

/** Killing asks; stopping goes on where its dialog is closed. */
async function stopped({ page, looks, names: [a] }: Given): Promise<void> {
  await bar(page).getByRole('button', { name: 'Kill' }).click()
  await looks.at(page, 'rail, kill')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await closed(page)
  await bar(page).getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await closed(page)
  await expect(serverLink(page, a)).toContainText('Offline', { timeout: 20_000 })
  await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar(page)).toHaveCount(0)
}

test('servers are put into folders and order by mouse and keys, found, marked, and told to start together', async ({
  openPanel,
}) => {
  const looks = new Looks()
  const { page } = await openPanel()
  const given = { page, looks, names: await fiveServers(page) }
  await touch(page)
  await test.step('by mouse', () => byMouse(given))
  await test.step('by keys', () => byKeys(given))
  await test.step('folded', () => folded(given))
  await test.step('marked', () => marked(given))
  await test.step('started', () => started(given))
  await test.step('stopped', () => stopped(given))
  await test.step('removing the folder loses no server, and can be undone', async () => {
    const [a, b, c, d, e] = given.names
    await choose(page, folder(page, 'Far away'), 'Remove folder')
    await expect.poll(() => rows(page)).toEqual([b, d, e, c, a])
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(() => rows(page)).toEqual([b, d, e, '/Far away', c, a])
  })
  looks.expectNothing()
})
