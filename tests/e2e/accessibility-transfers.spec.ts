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
import { Looks } from './fixtures/looks.ts'
import { someBytes, write } from './fixtures/trees.ts'
import { openConsole } from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('axe finds nothing in the transfers', async ({ openPanel, startService, place }) => {
  const looks = new Looks()
  const service = await startService({ more: ['--max-file-bytes', '20000000'] })
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  await openFiles(page, 'Far away')
  await openTransfers(page)
  await looks.at(page, 'transfers, none')
  await write(folders[0] ?? '', { 'tree/a.txt': 'theirs', 'tree/b.txt': 'theirs' })
  await write(place.at('mine'), {
    'done.txt': 'done',
    'tree/a.txt': 'mine',
    'tree/b.txt': 'mine',
    'tree/too large.bin': someBytes(20_000_001, 1),
    'slow.bin': someBytes(15_000_000, 2),
    'waits.bin': someBytes(4_000_000, 3),
    'waits too.bin': someBytes(4_000_000, 4),
  })
  await uploadFiles(page, place.at('mine', 'done.txt'))
  await expect(transferRow(page, 'done.txt')).toContainText('Done')
  await page.getByLabel('Speed limit').selectOption(String(256 * 1024))
  await page.getByLabel('Files at once').selectOption('1')
  await uploadFolder(page, place.at('mine', 'tree'))
  await expect(transfers(page).getByRole('group', { name: /already exists/ })).toBeVisible()
  await uploadFiles(page, place.at('mine', 'slow.bin'))
  await expect(transferRow(page, 'slow.bin').getByRole('progressbar')).toHaveAttribute(
    'aria-valuenow',
    /^[1-9]/,
  )
  for (const name of ['waits.bin', 'waits too.bin']) await uploadFiles(page, place.at('mine', name))
  await expect(transferRow(page, 'waits.bin')).toContainText('Waiting')
  await looks.at(page, 'transfers, a question and those that wait')
  const filesOf = transferRow(page, 'slow.bin').getByRole('button', { name: 'Files of slow.bin' })
  await filesOf.click()
  const itsFiles = transferRow(page, 'slow.bin').getByRole('list', { name: 'Files of slow.bin' })
  await expect(itsFiles).toContainText(/slow\.bin.* kB\/s · .* left/)
  await looks.at(page, 'transfers, a file that moves')
  await filesOf.click()
  await closeTransfers(page)
  await looks.at(page, 'transfers, closed while some are under way')
  await openTransfers(page)
  await transfers(page).getByRole('button', { name: 'Cancel waits.bin' }).click()
  await looks.atDialog(page, 'transfers, cancel')
  await transfers(page).getByRole('checkbox').check()
  await transfers(page).getByRole('button', { name: 'Skip' }).click()
  await transfers(page).getByRole('button', { name: 'Pause slow.bin' }).click()
  await expect(transferRow(page, 'slow.bin')).toContainText('Paused')
  await expect(transferRow(page, 'tree')).toContainText('1 failed')
  await transferRow(page, 'tree').getByRole('button', { name: 'Files of tree' }).click()
  await expect(transferRow(page, 'tree')).toContainText('Failed')
  await expect(transferRow(page, 'tree').getByRole('list')).toContainText('too large.bin')
  await looks.at(page, 'transfers, paused and failed')
  await page.getByLabel('Speed limit').selectOption('none')
  await service.program.end()
  await transfers(page).getByRole('button', { name: 'Resume slow.bin' }).click()
  await expect(transferRow(page, 'slow.bin')).toContainText('Waiting for the service')
  await looks.at(page, 'transfers, the service is away')
  await service.start()
  await expect(transferRow(page, 'slow.bin')).toContainText('Done', { timeout: 60_000 })
  await transferRow(page, 'slow.bin').getByRole('button', { name: 'Files of slow.bin' }).click()
  await looks.at(page, 'transfers, history')
  looks.expectNothing()
})

test('axe finds nothing in notices, which lie above the page', async ({ openPanel, startService, place }) => {
  const looks = new Looks()
  const service = await startService({ more: ['--max-file-bytes', '1000'] })
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  await write(folders[0] ?? '', { 'a.txt': 'theirs' })
  await write(place.at('mine'), { 'a.txt': 'mine', 'b.txt': 'mine', 'too large.bin': someBytes(2000, 1) })
  await openFiles(page, 'Far away')
  const notices = page.getByRole('region', { name: 'Notices' })
  await uploadFiles(page, place.at('mine', 'too large.bin'))
  await expect(notices).toContainText('Not transferred: too large.bin')
  await uploadFiles(page, [place.at('mine', 'a.txt'), place.at('mine', 'b.txt')])
  await expect(notices).toContainText('Needs your decision: a.txt and 1 more')
  await looks.at(page, 'notices beside files')
  await openConsole(page)
  await looks.at(page, 'notices beside the console')
  looks.expectNothing()
})
