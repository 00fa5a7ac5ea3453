import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { grid, main, open } from '../files-tab.fixture.ts'

describe('the trash', () => {
  it('brings back what is chosen, and removes the rest for good only when asked twice', async () => {
    main.trash = [
      { id: '1', path: 'world/level.dat', kind: 'file', size: 3 },
      { id: '2', path: 'old.log', kind: 'file', size: 4 },
    ]
    await open()
    await page.getByRole('button', { name: 'Trash' }).click()
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
    page.getByRole('button', { name: 'Trash' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('region', { name: 'Trash' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(grid()).toHaveFocus()
  })

  it('where there is none shows first what this computer has kept, and one after another comes back', async () => {
    main.lacking.add('view files.trash')
    main.former = ['a.txt', 'world/b.txt']
    await open()
    await page.getByRole('button', { name: 'Trash' }).click()
    const kept = page.getByRole('list', { name: 'Deleted files kept on this computer' })
    await expect.element(kept.getByRole('listitem').first()).toMatchTextContent(/a\.txt/)
    const note = page.getByText('This service does not offer a trash').element()
    expect(kept.element().compareDocumentPosition(note) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    expect(page.getByRole('button', { name: 'Empty trash' }).query()).toBeNull()
    await page.getByRole('button', { name: 'Restore a.txt' }).click()
    await expect.element(page.getByRole('button', { name: 'Restore world/b.txt' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('region', { name: 'Trash' })).toHaveFocus()
    expect(main.names('')).toContain('a.txt')
    expect(main.names('world')).toContain('b.txt')
  })
})
