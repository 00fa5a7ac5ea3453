import type { Page } from '@playwright/test'
import { openFiles, openTransfers, signedIn, transferRow, uploadFiles } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { someBytes, write } from './fixtures/trees.ts'

// What main has to say is said in the language of the window.

async function speakGerman(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'App settings' }).click()
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
}

test('why a file failed is told in the language of the moment, also after the panel was closed', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService({ more: ['--max-file-bytes', '100000'] })
  const first = await openPanel()
  await signedIn(first.page, service, 'Far away')
  await write(place.at('mine'), { 'large.bin': someBytes(2_500_000, 1) })
  await openFiles(first.page, 'Far away')
  await uploadFiles(first.page, place.at('mine', 'large.bin'))
  await openTransfers(first.page)
  const large = transferRow(first.page, 'large.bin')
  await large.getByRole('button', { name: 'Files of large.bin' }).click()
  await expect(large.getByRole('list')).toContainText(
    '“large.bin” is 2.4 MB. This service accepts files up to 97.7 kB.',
  )
  await first.page.keyboard.press('Escape')
  await speakGerman(first.page)
  await first.close()

  const { page } = await openPanel({ data: first.data })
  await page.locator('#transfers-button').click()
  const transfers = page.getByRole('region', { name: 'Übertragungen' })
  await transfers.getByRole('button', { name: 'Dateien von large.bin' }).click()
  await expect(transfers).toContainText(
    '„large.bin“ ist 2,4 MB groß. Dieser Dienst nimmt Dateien bis 97,7 kB an.',
  )
})

test('what a service refuses is said in German, with its figures', async ({ openPanel, startService }) => {
  const service = await startService({ more: ['--servers-per-account', '1'] })
  const { page } = await openPanel()
  await signedIn(page, service, 'Far away')
  await speakGerman(page)
  await page.getByRole('link', { name: /^Neuer Server/ }).click()
  await expect(page.getByText('1 von 1 Server belegt')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Promocode einlösen' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Second')
  const create = page.getByRole('main').getByRole('button', { name: 'Erstellen', exact: true })
  // At the field, where what was typed is refused before it is sent.
  await page.getByText('Weitere Optionen').click()
  const memory = page.getByLabel('Arbeitsspeicher')
  const before = await memory.inputValue()
  await memory.fill('262145')
  await create.click()
  await expect(page.getByText('Gib eine Zahl ein, die höchstens 262.144 ist.')).toBeVisible()
  await expect(memory).toBeFocused()
  await memory.fill(before)
  await create.click()
  await expect(page.getByRole('alert')).toContainText(
    'Du nutzt den einzigen Server deines Kontos. Lösche ihn oder löse einen Promocode ein.',
  )
})
