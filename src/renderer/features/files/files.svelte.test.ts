import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { route } from '../../core/routes/router.svelte.ts'
import { file } from './files-main.fixture.ts'
import { field, grid, main, names, open, row, selected, show } from './files-tab.fixture.ts'

describe('the list of files', () => {
  it('shows folders first and numbers in their order, and turns round at a click', async () => {
    await open()
    await expect.poll(names).toEqual(['world', 'b2.txt', 'b10.txt', 'server.properties'])
    await page.getByRole('button', { name: 'Name' }).click()
    await expect.poll(names).toEqual(['world', 'server.properties', 'b10.txt', 'b2.txt'])
    await expect
      .element(page.getByRole('columnheader', { name: 'Name' }))
      .toHaveAttribute('aria-sort', 'descending')
    await page.getByRole('button', { name: 'Name' }).click()
  })

  it.each([
    { modifiedAt: '2026-11-20T10:00:00Z', columns: ['Name', 'Size', 'Modified'] },
    { modifiedAt: null, columns: ['Name', 'Size'] },
  ])('has a column of times where the host tells some: $modifiedAt', async ({ modifiedAt, columns }) => {
    main.folders.set('', [
      { ...file('a.txt'), modifiedAt: null },
      { ...file('b.txt'), modifiedAt },
    ])
    await open()
    const heads = page.getByRole('columnheader').elements()
    expect(heads.map((head) => head.textContent.trim())).toEqual(columns)
    await expect.element(grid()).toHaveAttribute('aria-colcount', String(columns.length))
  })

  it('filters while one types, and says how many are left', async () => {
    await open()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.keyboard('B1')
    await expect.poll(names).toEqual(['b10.txt'])
    await expect.element(page.getByRole('status', { name: 'Items' })).toHaveTextContent('1 of 4')
    await userEvent.keyboard('zz')
    await expect.element(page.getByText('No name contains “B1zz”')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(names).toHaveLength(4)
  })

  it('keeps 20,000 entries in few nodes, and reaches the last one with End', async () => {
    main.folders.set(
      '',
      Array.from({ length: 20_000 }, (_, index) => file(`region.${index}.mca`)),
    )
    await open()
    expect(document.querySelectorAll('*').length).toBeLessThan(3000)
    await userEvent.keyboard('{End}')
    await expect.poll(() => names().at(-1)).toBe('region.19999.mca')
    await expect.poll(selected).toEqual(['region.19999.mca'])
    await expect.element(row('region.19999.mca')).toHaveAttribute('aria-rowindex', '20001')
    expect(document.querySelectorAll('*').length).toBeLessThan(3000)
  })

  it('selects with the keys of other lists', async () => {
    await open()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    await expect.poll(selected).toEqual(['b2.txt'])
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
    await expect.poll(selected).toEqual(['b2.txt', 'b10.txt'])
    await userEvent.keyboard('{Control>}{ArrowUp}{ArrowUp} {/Control}')
    await expect.poll(selected).toEqual(['world', 'b2.txt', 'b10.txt'])
    await userEvent.keyboard('{Control>}a{/Control}')
    await expect
      .element(page.getByRole('status', { name: 'Items' }))
      .toHaveTextContent('4 selected · 1.2 kB + 1 folder')
    await userEvent.keyboard('{Escape}')
    await expect.poll(selected).toEqual([])
    await userEvent.keyboard('ser')
    await expect.poll(selected).toEqual(['server.properties'])
  })

  it('goes into a folder with Enter and back up with Backspace, onto where one came from', async () => {
    await open()
    await userEvent.keyboard('{Home}{Enter}')
    await expect.poll(() => location.hash).toBe('#/c/c/s/s/files?path=world')
    await expect.poll(names).toEqual(['region', 'level.dat'])
    await expect.element(grid()).toHaveFocus()
    await userEvent.keyboard('{Backspace}')
    await expect.poll(selected).toEqual(['world'])
    history.back()
    await expect.poll(names).toEqual(['region', 'level.dat'])
  })

  it('goes to a path that is typed', async () => {
    await open()
    await userEvent.keyboard('{Control>}l{/Control}')
    await page.getByRole('textbox', { name: 'Path' }).fill('/world/region')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('This folder is empty')).toBeVisible()
    await page.getByRole('link', { name: 'world' }).click()
    await expect.poll(names).toEqual(['region', 'level.dat'])
  })

  it('has nothing that the account may not do', async () => {
    main.role = ['files.read']
    await open()
    await row('b2.txt').click()
    await expect.element(page.getByRole('button', { name: 'Download' })).toBeEnabled()
    for (const name of ['Upload', 'New', 'Rename', 'Delete'])
      expect(page.getByRole('button', { name, exact: true }).query(), name).toBeNull()
    grid().element().focus()
    await userEvent.keyboard('{Delete}{F2}')
    expect(main.inputs('files.remove')).toEqual([])
    expect(page.getByRole('textbox', { name: 'Name' }).query()).toBeNull()
  })
})

describe('the place of the reader', () => {
  const many = (from = 0) => Array.from({ length: 500 - from }, (_, at) => file(`region.${at + from}.mca`))
  const top = () => grid().element().scrollTop
  /** The first name that is seen whole. */
  const first = () => {
    const edge = grid().element().getBoundingClientRect().top + 28
    const rows = [...document.querySelectorAll('[data-row]')]
    return rows
      .find((one) => one.getBoundingClientRect().top >= edge)
      ?.textContent.trim()
      .split(' ')[0]
  }
  const readAgain = async () => {
    const reads = main.inputs('view files.list').length
    window.dispatchEvent(new Event('focus'))
    await expect.poll(() => main.inputs('view files.list').length).toBeGreaterThan(reads)
  }

  it('stays while a running server puts something above it, and so does the cursor elsewhere', async () => {
    main.folders.set('', many(10))
    await open()
    await userEvent.keyboard('{Home}')
    grid().element().scrollTop = 28 * 200
    await expect.poll(first).toBe('region.210.mca')
    main.folders.set('', many())
    await readAgain()
    await expect.poll(top).toBe(28 * 210)
    expect(first()).toBe('region.210.mca')
    main.folders.set('', many(20))
    await readAgain()
    await expect.poll(first).toBe('region.210.mca')
  })

  it('is the top again where it was the top, so that what is new is seen', async () => {
    main.folders.set('', many(10))
    await open()
    main.folders.set('', many())
    await readAgain()
    await expect.poll(first).toBe('region.0.mca')
  })

  it('is there again when a file was looked at and closed, with selection and filter', async () => {
    main.folders.set('', many())
    await open()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.keyboard('region{ArrowDown}')
    grid().element().scrollTop = 28 * 300
    await row('region.305.mca').click()
    const before = top()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => location.hash).toBe('#/c/c/s/s/files?file=region.305.mca')
    await page.getByRole('button', { name: 'Close the file' }).click()
    await expect.poll(selected).toEqual(['region.305.mca'])
    await expect.element(grid()).toHaveFocus()
    expect(top()).toBe(before)
    await expect.element(field()).toHaveValue('region')
  })
})

describe('the states of the files', () => {
  it('say that the service offers no files, and can be asked for again', async () => {
    main.lacking.add('view files.list')
    await show()
    await expect.element(page.getByText('This service does not offer files')).toBeVisible()
    main.lacking.clear()
    await page.getByRole('button', { name: 'Check again' }).click()
    await expect.poll(names).toHaveLength(4)
  })

  it('say that a folder is gone, and lead out of it', async () => {
    location.hash = '#/c/c/s/s/files?path=nowhere'
    await expect.poll(() => route()).toMatchObject({ path: 'nowhere' })
    await show()
    await expect.element(page.getByText('This folder no longer exists')).toBeVisible()
    await page.getByRole('button', { name: 'Go to the parent folder' }).click()
    await expect.poll(names).toHaveLength(4)
  })

  it('say so too where the folder was shown before it was gone', async () => {
    location.hash = '#/c/c/s/s/files?path=world'
    await expect.poll(() => route()).toMatchObject({ path: 'world' })
    await show()
    await expect.poll(names).toEqual(['region', 'level.dat'])
    main.folders.delete('world')
    window.dispatchEvent(new Event('focus'))
    await expect.element(page.getByText('This folder no longer exists')).toBeVisible()
    expect(names()).toEqual([])
  })
})
