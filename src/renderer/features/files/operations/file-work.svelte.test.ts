import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dismiss, notices } from '../../../ui/feedback/notices.svelte.ts'
import { file } from '../files-main.fixture.ts'
import { choose, grid, main, names, open, row, selected } from '../files-tab.fixture.ts'
import { hold } from './clipboard.svelte.ts'

describe('work on files', () => {
  it('renames in place, and says at the name what is wrong with it', async () => {
    await open()
    await row('b2.txt').click()
    await userEvent.keyboard('{F2}')
    const field = page.getByRole('textbox', { name: 'Name' })
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard('a/b{Enter}')
    await expect.element(page.getByRole('alert')).toMatchTextContent(/A name cannot contain “\/”/)
    await field.fill('b10.txt')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('alert')).toMatchTextContent(/This name is already taken/)
    // Whoever was elsewhere and comes back finds the list as it is now, and what was typed as it was left.
    const reads = main.inputs('view files.list').length
    window.dispatchEvent(new Event('focus'))
    await expect.poll(() => main.inputs('view files.list').length).toBeGreaterThan(reads)
    await expect.element(page.getByRole('alert')).toMatchTextContent(/This name is already taken/)
    await expect.element(field).toHaveValue('b10.txt')
    await field.fill('c#%é.txt')
    await userEvent.keyboard('{Enter}')
    await expect.poll(selected).toEqual(['c#%é.txt'])
    await expect.element(grid()).toHaveFocus()
    expect(main.names('')).not.toContain('b2.txt')
  })

  it('deletes into the trash and brings back with Undo', async () => {
    await open()
    await userEvent.keyboard('b2{Shift>}{ArrowDown}{/Shift}{Delete}')
    await expect.poll(names).toEqual(['world', 'server.properties'])
    // The next key begins where one was.
    await userEvent.keyboard(' ')
    await expect.poll(selected).toEqual(['server.properties'])
    const notice = notices()[0]
    expect(notice?.text()).toBe('2 items were moved to the trash')
    notice?.action?.run()
    await expect.poll(names).toEqual(['world', 'b2.txt', 'b10.txt', 'server.properties'])
  })

  it('takes back deletions, moves and names with Ctrl Z, the last one first, also without the notice', async () => {
    await open()
    await userEvent.keyboard('b2{F2}')
    await page.getByRole('textbox', { name: 'Name' }).fill('b3.txt')
    await userEvent.keyboard('{Enter}')
    await expect.poll(selected).toEqual(['b3.txt'])
    await userEvent.keyboard('{Control>}x{/Control}{Home}{Enter}')
    await expect.poll(names).toEqual(['region', 'level.dat'])
    await userEvent.keyboard('{Control>}v{/Control}')
    await expect.poll(names).toContain('b3.txt')
    await userEvent.keyboard('{Backspace}')
    await expect.poll(names).toEqual(['world', 'b10.txt', 'server.properties'])
    await userEvent.keyboard('b10{Delete}')
    await expect.poll(names).toEqual(['world', 'server.properties'])
    for (const notice of notices()) dismiss(notice.id)
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(selected).toEqual(['b10.txt'])
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(selected).toEqual(['b3.txt'])
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(selected).toEqual(['b2.txt'])
  })

  it('has no Undo left for what was restored already', async () => {
    await open()
    await userEvent.keyboard('b2{Delete}')
    await expect.poll(() => notices()[0]?.text()).toBe('“b2.txt” was moved to the trash')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(selected).toEqual(['b2.txt'])
    expect(notices().map((notice) => notice.text())).toEqual(['1 item restored'])
  })

  it('asks before it deletes for good, and says “deleted” without an Undo', async () => {
    main.hasTrash = false
    await open()
    await row('b2.txt').click()
    await userEvent.keyboard('{Delete}')
    const dialog = page.getByRole('dialog', { name: 'Delete “b2.txt” permanently?' })
    await expect.element(dialog).toMatchTextContent(/This service has no trash, so this can’t be undone\./)
    // Nothing is done by whoever only pressed Enter.
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => page.getByRole('dialog').query()).toBeNull()
    expect(main.names('')).toContain('b2.txt')
    await expect.element(grid()).toHaveFocus()
    await userEvent.keyboard('{Delete}')
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await expect.poll(names).toEqual(['world', 'b10.txt', 'server.properties'])
    expect(main.inputs('files.remove').at(-1)).toMatchObject({ paths: ['b2.txt'], permanent: true })
    const notice = notices()[0]
    expect(notice?.text()).toBe('“b2.txt” was deleted')
    expect(notice?.action).toBeUndefined()
  })

  it('lists what failed with its reason', async () => {
    main.failing.set('b2.txt', 'The file is locked by another program.')
    await open()
    await userEvent.keyboard('{Control>}a{/Control}{Delete}')
    const dialog = page.getByRole('dialog', { name: '1 item failed' })
    await expect.element(dialog).toMatchTextContent(/b2\.txt\s*The file is locked by another program\./)
    await expect.element(dialog).toMatchTextContent(/3 others are done\./)
  })

  it('moves what was cut, and asks where a name is taken', async () => {
    main.folders.set('world', [file('b2.txt'), file('b10.txt')])
    await open()
    await userEvent.keyboard('b2{Shift>}{ArrowDown}{/Shift}{Control>}x{/Control}')
    await userEvent.keyboard('{Home}{Enter}')
    await expect.poll(names).toEqual(['b2.txt', 'b10.txt'])
    await userEvent.keyboard('{Control>}v{/Control}')
    await expect.element(page.getByRole('dialog', { name: '“b2.txt” already exists' })).toBeVisible()
    await page.getByLabelText('Do the same for 1 more').click()
    await page.getByRole('button', { name: 'Keep both' }).click()
    await expect.poll(names).toEqual(['b2.txt', 'b2.txt (2)', 'b10.txt', 'b10.txt (2)'])
    expect(main.names('')).toEqual(['server.properties', 'world'])
  })

  it('copies from another server as a transfer', async () => {
    hold({ mode: 'copy', from: { connectionId: 'other', serverId: 'x' }, paths: ['plugins'] })
    await open()
    await userEvent.keyboard('{Control>}v{/Control}')
    await expect
      .poll(() => main.inputs('transfers.copy'))
      .toEqual([
        {
          from: { connectionId: 'other', serverId: 'x' },
          paths: ['plugins'],
          to: { connectionId: 'c', serverId: 's', folder: '' },
        },
      ])
  })

  it('hands over what is dropped onto a folder of the list', async () => {
    await open()
    const transfer = new DataTransfer()
    transfer.items.add(new File(['motd=hi'], 'motd.txt'))
    for (const type of ['dragover', 'drop'])
      row('world')
        .element()
        .dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
    await expect
      .poll(() => main.uploaded.map(({ to, files }) => [to.folder, files.map((one) => one.path)]))
      .toEqual([['world', ['motd.txt']]])
  })

  it('moves what is dragged onto a folder, and nothing onto itself', async () => {
    await open()
    const drag = (name: string, types: string[], transfer: DataTransfer) => {
      for (const type of types)
        row(name)
          .element()
          .dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
    }
    const transfer = new DataTransfer()
    drag('b2.txt', ['dragstart'], transfer)
    drag('world', ['dragover', 'drop'], transfer)
    await expect.poll(() => main.names('world')).toContain('b2.txt')
    const self = new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true })
    drag('world', ['dragstart'], transfer)
    row('world').element().dispatchEvent(self)
    expect(self.defaultPrevented).toBe(false)
  })

  it('makes a folder and selects it, and refuses a name that is taken', async () => {
    await open()
    await choose('New', 'New folder')
    await userEvent.keyboard('world{Enter}')
    await expect.element(page.getByText(/This name is already taken/)).toBeVisible()
    await page.getByRole('textbox', { name: 'Name' }).fill('插件')
    await userEvent.keyboard('{Enter}')
    await expect.poll(selected).toEqual(['插件'])
  })

  it('follows an archive job, can cancel it, and reads the folder again when it is done', async () => {
    await open()
    const job = { id: 'j', kind: 'archive' as const, path: 'world.zip', totalBytes: 1000 }
    main.send('job', { connectionId: 'c', serverId: 's', job: { ...job, state: 'running', doneBytes: 250 } })
    await expect
      .element(page.getByRole('progressbar', { name: 'Creating world.zip' }))
      .toHaveAttribute('aria-valuenow', '25')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => main.inputs('send files.cancel')).toHaveLength(1)
    main.folders.get('')?.push(file('world.zip'))
    main.send('job', { connectionId: 'c', serverId: 's', job: { ...job, state: 'done' } })
    await expect.poll(names).toContain('world.zip')
    expect(page.getByRole('progressbar').query()).toBeNull()
  })
})

describe('the menu of the list', () => {
  const items = () =>
    page
      .getByRole('menuitem')
      .elements()
      .map((item) => item.textContent.trim())

  it('is about the row it is opened at, offers what suits it, and leaves a selection it belongs to alone', async () => {
    await open()
    await row('b2.txt').click({ button: 'right' })
    await expect.poll(selected).toEqual(['b2.txt'])
    await expect.element(page.getByRole('menuitem', { name: 'Open' })).toBeVisible()
    expect(items()).toEqual([
      ...['Open Enter', 'Download', 'Rename F2', 'Move to…', 'Cut Ctrl X', 'Copy Ctrl C', 'Copy path'],
      ...['Compress', 'Properties Alt Enter', 'Delete Del'],
    ])
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => document.activeElement).toBe(grid().element())
    await row('b10.txt').click({ modifiers: ['Control'] })
    await row('b2.txt').click({ button: 'right' })
    await expect.element(page.getByRole('menuitem', { name: 'Download' })).toBeVisible()
    expect(items()).not.toContain('Rename')
    expect(selected()).toEqual(['b2.txt', 'b10.txt'])
  })

  it('beside the rows offers what can be made there', async () => {
    await open()
    await grid().click({ button: 'right', position: { x: 300, y: 400 } })
    await expect.element(page.getByRole('menuitem', { name: 'New folder' })).toBeVisible()
    expect(items()).toEqual(['New folder', 'New file'])
  })

  it('is opened by a key where the cursor stands, and what was chosen takes the focus', async () => {
    await open()
    await userEvent.keyboard('{End}{Shift>}{F10}{/Shift}')
    await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
    const menu = page.getByRole('menu').element().getBoundingClientRect()
    const at = row('server.properties').element().getBoundingClientRect()
    expect(Math.abs(menu.top - at.bottom)).toBeLessThan(2 * at.height)
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await expect.poll(() => document.activeElement).toBeInstanceOf(HTMLInputElement)
    await userEvent.keyboard('c{Enter}')
    await expect.poll(() => document.activeElement).toBe(grid().element())
  })
})
