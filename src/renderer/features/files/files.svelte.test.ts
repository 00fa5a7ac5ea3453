import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import { parseRoute, useTabs } from '../../core/route.ts'
import { route } from '../../core/router.svelte.ts'
import { hold } from './operations/clipboard.svelte.ts'
import Files from './Files.svelte'
import { file, FilesMain, folder } from './files-main.fixture.ts'
import { notices, dismiss } from '../../ui/notices.svelte.ts'

/** The room that the tab has in the panel. */
const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

let main: FilesMain

// The address names a tab, as the frame tells the router.
useTabs(['files'])

beforeEach(() => {
  main = new FilesMain()
  main.folders.set('', [file('server.properties', 1200), folder('world'), file('b10.txt'), file('b2.txt')])
  main.folders.set('world', [file('level.dat', 2048), folder('region')])
  main.folders.set('world/region', [])
  window.panel = main
  document.head.append(room)
  location.hash = '#/c/c/s/s/files'
})
afterEach(() => {
  room.remove()
  hold(null)
  for (const notice of notices()) dismiss(notice.id)
})

const grid = () => page.getByRole('grid', { name: 'Files' })
/** A row by how its name begins. */
const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name.replaceAll('.', '\\.')} `) })
const names = () =>
  [...document.querySelectorAll('[data-row] [role=gridcell]:first-child')].map((cell) =>
    cell.textContent.trim(),
  )
const selected = () =>
  [...document.querySelectorAll('[data-row][aria-selected=true] [role=gridcell]:first-child')].map((cell) =>
    cell.textContent.trim(),
  )

/** Shows the tab, with the focus in its list. */
async function open(): Promise<void> {
  // The address of the test before may still be shown.
  await expect.poll(() => route()).toEqual(parseRoute(location.hash))
  await render(Files, { server: main.signIn() })
  await expect.element(grid()).toBeVisible()
  grid().element().focus()
}

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

  it('asks before it deletes for good, says “deleted” and brings back what was kept with Undo', async () => {
    main.hasTrash = false
    main.lost = { lost: ['world/region/r.0.0.mca'], lostCount: 12 }
    await open()
    await row('b2.txt').click()
    await userEvent.keyboard('{Delete}')
    const dialog = page.getByRole('dialog', { name: 'Delete “b2.txt” permanently?' })
    await expect.element(dialog).toMatchTextContent(/This service has no trash/)
    await expect
      .element(dialog)
      .toMatchTextContent(/cannot be undone\s*world\/region\/r\.0\.0\.mca\s*And 11 more\./)
    // Nothing is done by whoever only pressed Enter.
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => page.getByRole('dialog').query()).toBeNull()
    expect(main.inputs('files.remove')).toEqual([])
    await expect.element(grid()).toHaveFocus()
    await userEvent.keyboard('{Delete}')
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await expect.poll(names).toEqual(['world', 'b10.txt', 'server.properties'])
    expect(main.inputs('files.remove')).toMatchObject([{ paths: ['b2.txt'], keep: 'all' }])
    const notice = notices()[0]
    expect(notice?.text()).toBe('“b2.txt” was deleted')
    expect(notice?.action?.lasting).toBe(true)
    notice?.action?.run()
    await expect.poll(names).toEqual(['world', 'b2.txt', 'b10.txt', 'server.properties'])
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
    await page.getByLabelText('Do the same for 1 more name that is taken').click()
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

  it('greys what the account may not do, and says why', async () => {
    main.role = ['files.read']
    await open()
    await expect.element(page.getByRole('button', { name: 'Upload' })).toBeDisabled()
    await row('b2.txt').click()
    await expect.element(page.getByRole('button', { name: 'Download' })).toBeEnabled()
    const remove = page.getByRole('button', { name: 'Delete' })
    await expect.element(remove).toBeDisabled()
    await userEvent.hover(remove)
    await expect.element(page.getByText('Your account lacks the permission files.delete.')).toBeVisible()
    grid().element().focus()
    await userEvent.keyboard('{Delete}{F2}')
    expect(main.inputs('files.remove')).toEqual([])
    expect(page.getByRole('textbox', { name: 'Name' }).query()).toBeNull()
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
    await page.getByRole('button', { name: 'New folder' }).click()
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
    await userEvent.keyboard('region{Enter}')
    grid().element().scrollTop = 28 * 300
    await row('region.305.mca').click()
    const before = top()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => location.hash).toBe('#/c/c/s/s/files?file=region.305.mca')
    await page.getByRole('button', { name: 'Close the file' }).click()
    await expect.poll(selected).toEqual(['region.305.mca'])
    await expect.element(grid()).toHaveFocus()
    expect(top()).toBe(before)
    await expect.element(page.getByLabelText('Filter this folder')).toHaveValue('region')
  })
})

describe('the states of the files', () => {
  it('say that the service offers no files, and can be asked for again', async () => {
    main.lacking.add('view files.list')
    await render(Files, { server: main.signIn() })
    await expect.element(page.getByText('This service does not offer files')).toBeVisible()
    main.lacking.clear()
    await page.getByRole('button', { name: 'Check again' }).click()
    await expect.poll(names).toHaveLength(4)
  })

  it('say that a folder is gone, and lead out of it', async () => {
    location.hash = '#/c/c/s/s/files?path=nowhere'
    await expect.poll(() => route()).toMatchObject({ path: 'nowhere' })
    await render(Files, { server: main.signIn() })
    await expect.element(page.getByText('This folder no longer exists')).toBeVisible()
    await page.getByRole('button', { name: 'Go to the parent folder' }).click()
    await expect.poll(names).toHaveLength(4)
  })

  it('say so too where the folder was shown before it was gone', async () => {
    location.hash = '#/c/c/s/s/files?path=world'
    await expect.poll(() => route()).toMatchObject({ path: 'world' })
    await render(Files, { server: main.signIn() })
    await expect.poll(names).toEqual(['region', 'level.dat'])
    main.folders.delete('world')
    window.dispatchEvent(new Event('focus'))
    await expect.element(page.getByText('This folder no longer exists')).toBeVisible()
    expect(names()).toEqual([])
  })
})

describe('the search', () => {
  it('shows what was found, and opens it at its line', async () => {
    main.hits = [{ path: 'world/spawn.yml', kind: 'file', line: 7, text: 'radius: 12' }]
    await open()
    await page.getByRole('button', { name: 'Search files' }).click()
    await page.getByRole('textbox', { name: 'Text in the file' }).fill('radius')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('1 found')).toBeVisible()
    expect(main.inputs('view files.search')).toEqual([
      { connectionId: 'c', params: { serverId: 's' }, query: { path: '', text: 'radius' } },
    ])
    await page.getByRole('button', { name: /spawn\.yml/ }).click()
    await expect.poll(() => location.hash).toBe('#/c/c/s/s/files?file=world/spawn.yml&line=7')
    // What was found is not lost over a look into it.
    await page.getByRole('button', { name: 'Close the file' }).click()
    await expect.element(page.getByRole('button', { name: /spawn\.yml/ })).toHaveFocus()
    await expect.element(page.getByRole('textbox', { name: 'Text in the file' })).toHaveValue('radius')
    await userEvent.keyboard('{Escape}')
    await expect.element(grid()).toHaveFocus()
    await page.getByRole('button', { name: 'Search files' }).click()
    await expect.element(page.getByRole('textbox', { name: 'Text in the file' })).toHaveValue('')
  })

  it('says where a service has none', async () => {
    main.lacking.add('view files.search')
    await open()
    await page.getByRole('button', { name: 'Search files' }).click()
    await userEvent.keyboard('x{Enter}')
    await expect.element(page.getByText('This service does not offer file search')).toBeVisible()
  })
})

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
    expect(items()).toEqual(['Open', 'Download', 'Cut', 'Copy', 'Rename', 'Compress', 'Properties', 'Delete'])
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
