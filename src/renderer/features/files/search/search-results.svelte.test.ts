import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { field, grid, main, open } from '../files-tab.fixture.ts'

describe('the search', () => {
  it('shows what was found, and opens it at its line', async () => {
    main.hits = [{ path: 'world/spawn.yml', kind: 'file', line: 7, text: 'radius: 12' }]
    await open()
    await field().fill('radius')
    await expect.element(page.getByText('No name contains “radius”')).toBeVisible()
    await page.getByRole('button', { name: 'Search all folders for “radius”' }).click()
    await expect.element(page.getByText('1 found')).toBeVisible()
    await page.getByRole('button', { name: 'Text in files' }).click()
    const at = { connectionId: 'c', params: { serverId: 's' } }
    await expect
      .poll(() => main.inputs('view files.search'))
      .toEqual([
        { ...at, query: { path: '', name: 'radius' } },
        { ...at, query: { path: '', text: 'radius' } },
      ])
    await expect.element(page.getByText('1 found')).toBeVisible()
    await page.getByRole('button', { name: /spawn\.yml/ }).click()
    await expect.poll(() => location.hash).toBe('#/c/c/s/s/files?file=world/spawn.yml&line=7')
    // What was found is not lost over a look into it.
    await page.getByRole('button', { name: 'Close the file' }).click()
    await expect.element(page.getByRole('button', { name: /spawn\.yml/ })).toHaveFocus()
    await expect.element(field()).toHaveValue('radius')
    await userEvent.keyboard('{Escape}')
    await expect.element(grid()).toHaveFocus()
    await expect.element(field()).toHaveValue('')
  })

  it('says where a service has none', async () => {
    main.lacking.add('view files.search')
    await open()
    await field().fill('x')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('This service does not offer file search')).toBeVisible()
  })
})
