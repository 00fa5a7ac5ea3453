import type { Locator, Page } from '@playwright/test'
import {
  closeTransfers,
  openFiles,
  openTransfers,
  signedIn,
  transferRow,
  transfers,
  uploadFiles,
  uploadFolder,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { speak } from './fixtures/looks.ts'
import { write } from './fixtures/trees.ts'
import { openConsole, serverLink, tab } from './fixtures/views.ts'

// A notice lies above the page, but over no line of input, and says nothing that is in sight anyway.

const notices = (page: Page): Locator => page.getByRole('region', { name: /^(Notices|Meldungen)$/ })
const dismiss = (page: Page): Locator => notices(page).getByRole('button', { name: 'Dismiss' })

interface Box {
  x: number
  y: number
  width: number
  height: number
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not drawn')
  return box
}

const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Every notice is drawn whole within the window, and none lies over one of these. */
async function expectApart(page: Page, ...others: Locator[]): Promise<void> {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  const window = { x: 0, y: 0, ...size }
  for (const button of await dismiss(page).all()) {
    const notice = await boxOf(button.locator('xpath=..'))
    expect(notice.y >= 0 && notice.y + notice.height <= window.height, 'a notice is within the window').toBe(
      true,
    )
    for (const other of others) {
      const box = await boxOf(other)
      expect(meet(box, window), `${other.toString()} is in sight`).toBe(true)
      expect(meet(notice, box), `a notice lies over ${other.toString()}`).toBe(false)
    }
  }
}

const SMALL = { width: 720, height: 600 }
test.use({ viewport: SMALL })

for (const size of [SMALL, { width: 1280, height: 800 }]) {
  test.describe(`at ${size.width}×${size.height}`, () => {
    test.use({ viewport: size })

    test('a notice covers neither the question it speaks of nor what is typed, and goes when that is in sight', async ({
      openPanel,
      startService,
      place,
    }) => {
      const service = await startService()
      const { page } = await openPanel()
      const { folders, ids, account } = await signedIn(page, service, 'Far away')
      await service.online(account.token, ids[0] ?? '')
      for (const name of ['tree', 'other'])
        await write(folders[0] ?? '', { [`${name}/a.txt`]: 'theirs', [`${name}/b.txt`]: 'theirs' })
      await write(place.at('mine'), {
        'tree/a.txt': 'mine',
        'tree/b.txt': 'mine',
        'other/a.txt': 'mine',
      })
      await openFiles(page, 'Far away')
      await uploadFolder(page, place.at('mine', 'tree'))
      await expect(notices(page)).toContainText('Needs your decision: tree')
      await expect(notices(page)).toContainText(/“tree\/[ab]\.txt” already exists\./)
      await expectApart(page, page.getByRole('contentinfo'))

      // What is typed into the console.
      await openConsole(page)
      await expectApart(
        page,
        page.getByLabel('Command', { exact: true }),
        page.getByRole('button', { name: 'Send' }),
      )

      // A primary button at the end of a form.
      await page.goto(page.url().replace(/#\/c\/([^/]+)\/.*$/, '#/c/$1/create'))
      const create = page.getByRole('main').getByRole('button', { name: 'Create and start' })
      await expect(page.getByRole('group', { name: 'Software' })).toBeVisible()
      await create.scrollIntoViewIfNeeded()
      await expectApart(page, create)

      // The question itself, opened by the line at the bottom: the notice has nothing more to say.
      await openTransfers(page)
      await expect(notices(page)).toBeEmpty()
      const question = transfers(page).getByRole('group', { name: /^“tree\/[ab]\.txt” already exists\.$/ })
      for (const name of ['Replace', 'Keep both', 'Skip'])
        await question.getByRole('button', { name }).click({ trial: true })

      // Whatever else is asked while it is open is read out, and shown in its row alone.
      await serverLink(page, 'Far away').click()
      await tab(page, 'Files').click()
      await uploadFolder(page, place.at('mine', 'other'))
      await expect(transferRow(page, 'other')).toContainText('Needs your decision')
      await expect(page.getByText(/^Needs your decision: other/)).toHaveAttribute('aria-live', 'polite')
      await expect(notices(page)).toBeEmpty()

      // Closed again, it does not come back for what was seen.
      await closeTransfers(page)
      await expect(notices(page)).toBeEmpty()
    })
  })
}

test('of several notices one is shown, and the question of one goes with its answer', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService({ more: ['--max-file-bytes', '100'] })
  const { page } = await openPanel()
  const { folders, ids, account } = await signedIn(page, service, 'Far away')
  await service.online(account.token, ids[0] ?? '')
  await write(folders[0] ?? '', { 'a.txt': 'theirs' })
  const large = ['one.bin', 'two.bin', 'three.bin']
  await write(place.at('mine'), { 'a.txt': 'mine' })
  for (const name of large) await write(place.at('mine'), { [name]: 'x'.repeat(1000) })
  await openFiles(page, 'Far away')
  for (const name of large) {
    await uploadFiles(page, place.at('mine', name))
    await expect(notices(page)).toContainText(`Not transferred: ${name}`)
  }
  await uploadFiles(page, place.at('mine', 'a.txt'))
  await expect(notices(page)).toContainText('Needs your decision: a.txt')
  await expect(dismiss(page)).toHaveCount(1)
  await expect(notices(page)).toContainText('3 more notices')

  // What stands changes its language with everything else.
  await speak(page, 'de')
  await expect(notices(page)).toContainText('Deine Entscheidung ist gefragt: a.txt')
  await expect(notices(page)).toContainText('Noch 3 Meldungen')
  await expect(notices(page).getByRole('button', { name: 'Anzeigen' }).first()).toBeVisible()
  await expect(notices(page)).not.toContainText('Needs your decision')
  await speak(page, 'en')

  await openConsole(page)
  expect((await boxOf(notices(page))).height).toBeLessThanOrEqual(160)
  await expectApart(page, page.getByLabel('Command', { exact: true }))

  // Answered from somewhere else, such as another window, it is no longer true that somebody has to decide.
  await page.evaluate(async () => {
    const list = await window.panel.call('transfers.list', undefined)
    const asking = list.ok ? list.value.items.find((one) => one.asking) : undefined
    if (asking?.asking)
      await window.panel.call('transfers.answer', {
        ...{ transferId: asking.id, itemId: asking.asking.itemId, choice: 'skip', forAll: true },
      })
  })
  await expect(notices(page)).not.toContainText('Needs your decision')
  await expect(notices(page)).toContainText('Not transferred: three.bin')
  await expect(notices(page)).toContainText('2 more notices')
})
