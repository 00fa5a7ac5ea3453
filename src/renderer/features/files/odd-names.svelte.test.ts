import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import { file } from './files-main.fixture.ts'
import { main, names, open } from './files-tab.fixture.ts'

it('shows bytes that are not UTF-8 as such, marks them, and deletes the file by its whole name', async () => {
  main.folders.set('', [file('l\uf782o.txt'), file('two\nlines.txt')])
  await open()
  await expect.poll(names).toEqual(['l\ufffdo.txt not valid UTF-8', 'two\ufffdlines.txt'])
  await userEvent.keyboard('{Home}{Delete}')
  await expect.poll(() => main.inputs('files.remove')).toMatchObject([{ paths: ['l\uf782o.txt'] }])
  await expect
    .poll(() => notices().map((one) => one.text()))
    .toEqual(['“l\ufffdo.txt” was moved to the trash'])
})

it.each(['trail ', 'two\nlines.txt'])('renames nothing where nobody typed anything: %j', async (name) => {
  main.folders.set('', [file(name)])
  await open()
  await userEvent.keyboard('{Home}{F2}')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).not.toBeInTheDocument()
  expect(main.inputs('files.move')).toEqual([])
})

it('renames what Windows reserves', async () => {
  main.folders.set('', [file('con.yml')])
  await open()
  await userEvent.keyboard('{Home}{F2}')
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'player-con.yml')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => main.inputs('files.move'))
    .toMatchObject([{ items: [{ from: 'con.yml', to: 'player-con.yml' }] }])
})
