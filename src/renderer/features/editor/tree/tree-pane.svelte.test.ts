import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useLanguage } from '../../../messages/t.svelte.ts'
import { notices } from '../../../ui/feedback/notices.svelte.ts'
import { at, button, isSaved, open, save, text, type } from '../editor.fixture.ts'

const CONFIG =
  '# Head\r\n\r\n# Who may join\r\nproxies:\r\n  # Only behind a proxy\r\n  velocity:\r\n    enabled: false # careful\r\n    secret: ""\r\n  limits: [1, 2]\r\nmotd: |\r\n  one\r\n  two\r\n'

const grid = () => page.getByRole('treegrid', { name: 'Values of config.yml' })
const row = (name: string) => grid().getByRole('row', { name: new RegExp(`(^|\\s)${name}(\\s|$)`) })
const keys = (typed: string) => userEvent.keyboard(typed)

beforeEach(() => {
  localStorage.removeItem('editor-shown-as')
})

/** Opens the file and its tree, with the keys at its first row. */
async function openTree(config = CONFIG): Promise<void> {
  at.disk = { text: config, version: 1 }
  await open()
  await userEvent.click(button('Tree'))
  await expect.element(grid()).toHaveFocus()
}

it('changes a switch by keyboard in its own place, and saves it on top of what was read', async () => {
  await openTree()
  await expect.element(row('careful')).toBeVisible()
  await keys('{ArrowDown}{ArrowDown}')
  await expect.element(row('enabled')).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByRole('switch', { name: 'enabled' })).not.toBeChecked()
  await keys('{Enter}')
  await expect.element(page.getByRole('switch', { name: 'enabled' })).toBeChecked()
  await save()
  await isSaved()
  expect(at.written).toMatchObject([
    { text: CONFIG.replace('enabled: false', 'enabled: true'), base: { kind: 'etag', etag: '"1"' } },
  ])
})

it('writes a value with Enter, and leaves it with Escape', async () => {
  await openTree()
  await keys('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')
  const field = page.getByRole('textbox', { name: 'Value of secret' })
  await expect.element(field).toHaveFocus()
  await keys('gone{Escape}')
  await expect.element(grid()).toHaveFocus()
  await keys('{Enter}')
  await keys('yes{Enter}')
  await expect.element(grid()).toHaveFocus()
  expect(page.getByText(/can’t be changed here/).elements()).toEqual([])
  await save()
  await isSaved()
  expect(at.disk?.text).toBe(CONFIG.replace('secret: ""', 'secret: "yes"'))
})

it('shares its steps back with the text', async () => {
  await openTree()
  await keys('{ArrowDown}{ArrowDown}{Enter}')
  await expect.element(page.getByText('Unsaved', { exact: true }).first()).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.element(page.getByRole('switch', { name: 'enabled' })).not.toBeChecked()
  await expect.element(button('Save')).toBeDisabled()
})

it('takes an entry out with what explains it, and brings it back', async () => {
  await openTree()
  await keys('{ArrowDown}{Delete}')
  await expect.poll(() => row('velocity').query()).toBeNull()
  await save()
  await isSaved()
  expect(at.disk?.text).toBe(
    '# Head\r\n\r\n# Who may join\r\nproxies:\r\n  limits: [1, 2]\r\nmotd: |\r\n  one\r\n  two\r\n',
  )
  await keys('{Control>}z{/Control}')
  await expect.element(row('velocity')).toBeVisible()
})

it('brings back an entry from the notice, and nothing that was typed since', async () => {
  await openTree()
  const undo = () => notices().find((notice) => notice.text().includes('velocity'))?.action
  await keys('{ArrowDown}{Delete}')
  await expect.poll(undo).toBeDefined()
  await undo()?.run()
  await expect.element(row('velocity')).toBeVisible()

  await keys('{Delete}')
  await expect.poll(undo).toBeDefined()
  const late = undo()
  await userEvent.click(button('Text'))
  await expect.poll(undo).toBeUndefined()
  await type('# mine ')
  await late?.run()
  await save()
  await isSaved()
  expect(at.disk?.text).toMatch(/^# mine # Head/)
  expect(at.disk?.text).not.toContain('velocity')
})

it('adds an entry and goes on to its value', async () => {
  await openTree()
  await keys('{ArrowDown}{Insert}')
  await expect.element(page.getByRole('textbox', { name: 'Key' })).toHaveFocus()
  await keys('name{Enter}')
  await expect.element(page.getByRole('textbox', { name: 'Value of name' })).toHaveFocus()
  await keys('hub{Enter}')
  await save()
  await isSaved()
  expect(at.disk?.text).toBe(CONFIG.replace('secret: ""\r\n', `secret: ""\r\n    name: 'hub'\r\n`))
})

it('says why a value is not taken, and keeps what is typed', async () => {
  await openTree('a: 1\n')
  await keys('{Enter}many{Enter}')
  await expect.element(page.getByRole('alert')).toMatchTextContent(/isn’t a number/)
  await expect.element(page.getByRole('textbox', { name: 'Value of a' })).toHaveValue('many')
  await keys('{Escape}')
  await expect.element(button('Save')).toBeDisabled()
})

it('finds keys and values with what they lie in, and shows what is not saved alone', async () => {
  await openTree()
  await userEvent.fill(page.getByRole('searchbox', { name: 'Search keys and values' }), 'enab')
  await expect.poll(() => grid().getByRole('row').elements().length).toBe(3)
  await userEvent.fill(page.getByRole('searchbox', { name: 'Search keys and values' }), 'nowhere')
  await expect.element(page.getByText('No results')).toBeVisible()
  await userEvent.fill(page.getByRole('searchbox', { name: 'Search keys and values' }), '')
  await userEvent.click(page.getByRole('switch', { name: 'enabled' }))
  await userEvent.click(page.getByRole('checkbox', { name: 'Unsaved only' }))
  await expect.poll(() => grid().getByRole('row').elements().length).toBe(3)
})

it('is in step with the text beside it, and says where that cannot be read', async () => {
  await openTree()
  await userEvent.click(button('Both'))
  await userEvent.click(text())
  await keys('{Control>}{End}{/Control}more: 7{Enter}')
  await expect.element(row('more')).toMatchTextContent(/7/)
  await keys('{{')
  await expect.element(page.getByRole('alert')).toMatchTextContent(/can’t be read at line 14/)
  await expect.element(row('more')).toBeVisible()
  await userEvent.click(button('Show in the text'))
  await expect.element(text()).toHaveFocus()
})

it('changes the value that is meant, though the text was changed a moment before', async () => {
  await openTree('a: 1\nb: 2\n')
  await userEvent.click(button('Both'))
  await userEvent.dblClick(row('b').getByText('2', { exact: true }))
  await expect.element(page.getByRole('textbox', { name: 'Value of b' })).toHaveFocus()
  // The text is typed into, and the value taken, before the tree has read it again.
  const content = document.querySelector<HTMLElement>('.cm-content')!
  await keys('3')
  content.focus()
  await keys('{Control>}{Home}{/Control}# Head{Enter}')
  await save()
  await isSaved()
  expect(at.disk?.text).toBe('# Head\na: 1\nb: 3\n')
})

it('speaks German', async () => {
  await useLanguage('de')
  try {
    at.disk = { text: CONFIG, version: 1 }
    localStorage.setItem('editor-shown-as', 'tree')
    await openGerman()
    await expect.element(page.getByRole('treegrid', { name: 'Werte von config.yml' })).toBeVisible()
  } finally {
    await useLanguage('en')
  }
})

async function openGerman(): Promise<void> {
  const { render } = await import('vitest-browser-svelte')
  const { default: Editor } = await import('../Editor.svelte')
  const { path, server } = await import('../editor.fixture.ts')
  const shown = await render(Editor, { ...server, path, close: () => undefined })
  for (let box = shown.container; box !== document.documentElement; box = box.parentElement!)
    box.style.height = '600px'
}
