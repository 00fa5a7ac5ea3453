import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, grid, main, open } from '../files-tab.fixture.ts'

describe('the trash', () => {
  it('brings back what is chosen, and removes the rest for good only when asked twice', async () => {
    main.trash = [
      { id: '1', path: 'world/level.dat', kind: 'file', size: 3 },
      { id: '2', path: 'old.log', kind: 'file', size: 4 },
    ]
    await open()
    await choose('More for this folder', 'Trash')
    await page.getByRole('checkbox', { name: /old\.log/ }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => main.names('')).toContain('old.log')
    await page.getByRole('button', { name: 'Empty trash' }).click()
    expect(main.trash).toHaveLength(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
    await expect.element(page.getByText('The trash is empty')).toBeVisible()
  })

  it('is gone into and left by keys alone', async () => {
    await open()
    page.getByRole('button', { name: 'More for this folder' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('menuitem', { name: 'Trash' })).toBeVisible()
    await userEvent.keyboard('{End}{Enter}')
    await expect.element(page.getByRole('region', { name: 'Trash' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(grid()).toHaveFocus()
  })

  it('where there is none says so', async () => {
    main.lacking.add('view files.trash')
    await open()
    await choose('More for this folder', 'Trash')
    await expect.element(page.getByText('This service does not offer a trash')).toBeVisible()
    expect(page.getByRole('button', { name: 'Empty trash' }).query()).toBeNull()
  })
})
