import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { panel } from '../../../core/panel.svelte.ts'
import { connection, server } from '../files-main.fixture.ts'
import { choose, main, open, row } from '../files-tab.fixture.ts'

describe('a dialog for a folder', () => {
  it('moves what is selected to a folder that is chosen', async () => {
    await open()
    await row('b2.txt').click()
    await page.getByRole('button', { name: 'Move to…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move 1 item to' })
    await expect.element(dialog.getByRole('button', { name: 'Move here' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'world' }).click()
    await dialog.getByRole('button', { name: 'region' }).click()
    await expect.element(dialog.getByText('No folders in here')).toBeVisible()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await expect.poll(() => main.names('world/region')).toEqual(['b2.txt'])
  })

  it('copies to a folder of another server', async () => {
    panel.take({ ...connection, id: 'other', name: 'Other' })
    await open()
    await row('b2.txt').click()
    await choose('More', 'Copy to server…')
    const dialog = page.getByRole('dialog', { name: 'Copy 1 item to another server' })
    await dialog.getByRole('button', { name: 'world' }).click()
    await dialog.getByRole('button', { name: 'Copy here' }).click()
    await expect
      .poll(() => main.inputs('transfers.copy'))
      .toEqual([
        { from: server, paths: ['b2.txt'], to: { connectionId: 'other', serverId: 's', folder: 'world' } },
      ])
  })
})
