import { describe, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useLanguage } from '../../messages/t.svelte.ts'
import {
  at,
  button,
  dialog,
  isSaved,
  open,
  path,
  save,
  server,
  text,
  type,
  typeAtStart,
} from './editor.fixture.ts'

it('speaks the language of the moment, with the search that is open and what is typed there', async () => {
  await open()
  await userEvent.click(text())
  await userEvent.keyboard('{Control>}f{/Control}')
  await userEvent.keyboard('port')
  await expect.element(page.getByPlaceholder('Find', { exact: true })).toHaveValue('port')
  await useLanguage('de')
  onTestFinished(() => useLanguage('en'))
  await expect.element(page.getByRole('textbox', { name: 'Text von config.yml' })).toBeVisible()
  await expect.element(page.getByPlaceholder('Suchen', { exact: true })).toHaveValue('port')
  expect(page.getByPlaceholder('Find', { exact: true }).query()).toBeNull()
})

describe('saving', () => {
  it('writes the text with the line ends it had, on top of the version that was read', async () => {
    await open()
    await expect.element(button('Save')).toBeDisabled()
    await type('x')
    await save()
    await isSaved()
    expect(at.written).toEqual([
      { ...server, path, text: 'xmotd: hello\r\nport: 1\r\n', base: { kind: 'etag', etag: '"1"' } },
    ])
    await type('y')
    await userEvent.click(button('Save'))
    await expect.poll(() => at.written[1]?.base).toEqual({ kind: 'etag', etag: '"2"' })
  })

  it('of a text that its parser refuses takes a second press, and shows where it is wrong', async () => {
    at.disk = { text: '\n  motd: hello\n  list: [1, 2]\n  port: 1\n', version: 1 }
    await open()
    await type('broken: [[1, 2')
    const marked = () => document.querySelector('.cm-fault')
    await expect.poll(marked).not.toBeNull()
    await expect.element(page.getByText(/^Line 1: A closing bracket \] seems to be missing\.$/)).toBeVisible()
    await save()
    await expect.element(button('Save anyway')).toBeVisible()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/A closing bracket/)
    expect(at.written).toEqual([])
    await userEvent.click(button('Save anyway'))
    await isSaved()
    expect(at.written).toHaveLength(1)
    await typeAtStart('{Shift>}{End}{/Shift}{Delete}')
    await expect.poll(marked).toBeNull()
    await save()
    await expect.poll(() => at.written).toHaveLength(2)
  })

  it('keeps the text and says so while the service is away', async () => {
    await open()
    await type('x')
    at.broken = 'offline'
    await save()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Not saved; your text stays here/)
    await expect.element(text()).toMatchTextContent(/xmotd: hello/)
    at.broken = null
    await save()
    await isSaved()
    expect(page.getByRole('alert').elements()).toEqual([])
  })

  it('asks nothing where an answer was lost and the text is there already', async () => {
    await open()
    await type('x')
    at.disk = { text: 'xmotd: hello\r\nport: 1\r\n', version: 2 }
    await save()
    await isSaved()
    await type('y')
    await save()
    await expect.poll(() => at.disk?.version).toBe(3)
    expect(at.written.at(-1)?.base).toEqual({ kind: 'etag', etag: '"2"' })
  })

  it('without entity tags writes only over what was read', async () => {
    at.tags = false
    await open()
    await type('x')
    await save()
    await isSaved()
    expect(at.written[0]?.base).toEqual({ kind: 'overwrite' })
    at.disk = { text: 'theirs\n', version: 9 }
    await type('y')
    await save()
    await expect.element(page.getByRole('group', { name: /has been changed elsewhere/ })).toBeVisible()
    expect(at.written).toHaveLength(1)
  })
})

describe('a file that somebody else saved meanwhile', () => {
  async function meet(): Promise<void> {
    await open()
    await type('x')
    at.disk = { text: 'motd: theirs\r\nport: 2\r\n', version: 5 }
    await save()
    await expect.element(page.getByRole('group', { name: /has been changed elsewhere/ })).toBeVisible()
  }

  it('is shown beside the own text, and nothing is written over', async () => {
    await meet()
    const sides = page.getByRole('textbox', { name: /not saved yet|now on the server/ })
    expect(sides.elements().map((side) => side.textContent)).toEqual([
      expect.stringContaining('motd: theirs'),
      expect.stringContaining('xmotd: hello'),
    ])
    expect(at.disk?.text).toBe('motd: theirs\r\nport: 2\r\n')
  })

  it('is written over when mine is chosen, from the version that was shown', async () => {
    await meet()
    await userEvent.click(button('Save mine'))
    await isSaved()
    expect(at.written.at(-1)).toMatchObject({
      text: 'xmotd: hello\r\nport: 1\r\n',
      base: { kind: 'etag', etag: '"5"' },
    })
  })

  it('is asked about again when it changed once more', async () => {
    await meet()
    at.disk = { text: 'motd: third\r\n', version: 6 }
    await userEvent.click(button('Save mine'))
    await expect.element(page.getByRole('textbox', { name: /now on the server/ })).toMatchTextContent(/third/)
    expect(at.disk.text).toBe('motd: third\r\n')
  })

  it('is taken when theirs is chosen, and undoing brings mine back', async () => {
    await meet()
    await userEvent.click(button('Use theirs'))
    await expect.element(text()).toMatchTextContent(/motd: theirs/)
    await expect.element(button('Save')).toBeDisabled()
    expect(at.written).toHaveLength(1)
    await userEvent.click(text())
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.element(text()).toMatchTextContent(/xmotd: hello/)
  })

  it('is saved as it was put together from both', async () => {
    await meet()
    await userEvent.click(page.getByRole('textbox', { name: /not saved yet/ }))
    await userEvent.keyboard('{Control>}{End}{/Control}extra: 3')
    await userEvent.click(button('Save mine'))
    await isSaved()
    expect(at.disk?.text).toBe('xmotd: hello\r\nport: 1\r\nextra: 3')
    await expect.element(text()).toMatchTextContent(/extra: 3/)
  })
})

describe('a file that was deleted meanwhile', () => {
  async function meet(): Promise<void> {
    await open()
    await type('x')
    at.disk = null
    await save()
    await expect.element(dialog('config.yml has been deleted')).toBeVisible()
  }

  it('is not made again without a word', async () => {
    await meet()
    await userEvent.click(button('Stay here'))
    expect(at.disk).toBeNull()
    await expect.element(text()).toMatchTextContent(/xmotd: hello/)
    expect(at.written.map((one) => one.base.kind)).toEqual(['etag'])
  })

  it('is made again when a person says so', async () => {
    await meet()
    await userEvent.click(button('Create it again'))
    await isSaved()
    expect(at.disk?.text).toBe('xmotd: hello\r\nport: 1\r\n')
    expect(at.written.at(-1)?.base).toEqual({ kind: 'create' })
  })

  it('is compared where somebody else made it again', async () => {
    await meet()
    at.disk = { text: 'motd: new\n', version: 3 }
    await userEvent.click(button('Create it again'))
    await expect
      .element(page.getByRole('textbox', { name: /now on the server/ }))
      .toMatchTextContent(/motd: new/)
  })

  it('is left closed', async () => {
    await meet()
    await userEvent.click(button('Close without saving'))
    expect(at.closed).toBe(1)
    expect(at.disk).toBeNull()
  })
})
