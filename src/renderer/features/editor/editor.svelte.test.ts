import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import '../../app/theme.css'
import { go, route } from '../../core/router.svelte.ts'
import type { CallInput } from '../../core/bridge.ts'
import type { Draft } from '../../../contract/bridge/values.ts'
import type { ProblemCode } from '../../../contract/bridge/problem.ts'
import { ScriptedWay } from '../../core/scripted-way.fixture.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import Editor from './Editor.svelte'

const server = { connectionId: 'c', serverId: 's' }
const path = 'plugins/config.yml'
const refused = (code: ProblemCode) => ({
  ok: false as const,
  problem: { code, message: 'no', retryable: false },
})

/** A file at a service, and what people do to it meanwhile. */
let disk: { text: string; version: number } | null
let tags: boolean
let broken: ProblemCode | null
let written: CallInput<'files.write-text'>[]
let way: ScriptedWay
let closed: number
let atMain: Draft | null

const etag = () => (tags && disk ? `"${disk.version}"` : null)

beforeEach(() => {
  sessionStorage.clear()
  location.hash = '#/'
  disk = { text: 'motd: hello\r\nport: 1\r\n', version: 1 }
  tags = true
  broken = null
  written = []
  closed = 0
  atMain = null
  way = new ScriptedWay({
    'files.read-text': () =>
      disk
        ? {
            ok: true,
            value: {
              path,
              size: disk.text.length,
              modifiedAt: null,
              etag: etag(),
              content: { kind: 'text', text: disk.text },
            },
          }
        : refused('not-found'),
    'files.write-text': (input) => {
      written.push(input)
      if (broken) return refused(broken)
      if (input.base.kind === 'create' ? disk : !disk) return refused(disk ? 'conflict' : 'not-found')
      if (input.base.kind === 'etag' && input.base.etag !== etag()) return refused('changed')
      disk = { text: input.text, version: (disk?.version ?? 0) + 1 }
      return { ok: true, value: { etag: etag(), running: false } }
    },
    'files.former': () => ({
      ok: true,
      value: [{ id: 'f1', path, size: 9, at: '2026-01-01T10:00:00Z', because: 'saved' }],
    }),
    'files.draft': () => ({ ok: true, value: atMain }),
    'files.keep-draft': ({ text, etag, at }) => {
      if (broken === 'offline') return refused(broken)
      atMain = { text, etag, at }
      return { ok: true, value: undefined }
    },
    'files.drop-draft': () => {
      atMain = null
      return { ok: true, value: undefined }
    },
    'files.former-text': () => ({ ok: true, value: { text: 'motd: before\n' } }),
  })
  window.panel = way
})
afterEach(() => {
  sessionStorage.clear()
  location.hash = '#/'
})

const text = () => page.getByRole('textbox', { name: 'Text of config.yml' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })

async function open() {
  const shown = await render(Editor, { ...server, path, close: () => (closed += 1) })
  await expect.element(text()).toBeVisible()
  // It fills what it is put into.
  for (let box = shown.container; box !== document.documentElement; box = box.parentElement!)
    box.style.height = '600px'
  return shown
}
async function type(words: string): Promise<void> {
  await userEvent.click(text())
  await userEvent.keyboard(`{Control>}{Home}{/Control}${words}`)
  await expect.element(page.getByText('Unsaved', { exact: true })).toBeVisible()
}
const save = () => userEvent.keyboard('{Control>}s{/Control}')
const isSaved = () => expect.element(page.getByRole('status')).toMatchTextContent(/Saved \d/)

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
    expect(written).toEqual([
      { ...server, path, text: 'xmotd: hello\r\nport: 1\r\n', base: { kind: 'etag', etag: '"1"' } },
    ])
    await type('y')
    await userEvent.click(button('Save'))
    await expect.poll(() => written[1]?.base).toEqual({ kind: 'etag', etag: '"2"' })
  })

  it('keeps the text and says so while the service is away', async () => {
    await open()
    await type('x')
    broken = 'offline'
    await save()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Not saved; your text stays here/)
    await expect.element(text()).toMatchTextContent(/xmotd: hello/)
    broken = null
    await save()
    await isSaved()
    expect(page.getByRole('alert').elements()).toEqual([])
  })

  it('asks nothing where an answer was lost and the text is there already', async () => {
    await open()
    await type('x')
    disk = { text: 'xmotd: hello\r\nport: 1\r\n', version: 2 }
    await save()
    await isSaved()
    await type('y')
    await save()
    await expect.poll(() => disk?.version).toBe(3)
    expect(written.at(-1)?.base).toEqual({ kind: 'etag', etag: '"2"' })
  })

  it('without entity tags writes only over what was read', async () => {
    tags = false
    await open()
    await type('x')
    await save()
    await isSaved()
    expect(written[0]?.base).toEqual({ kind: 'overwrite' })
    disk = { text: 'theirs\n', version: 9 }
    await type('y')
    await save()
    await expect.element(page.getByRole('group', { name: /has been changed elsewhere/ })).toBeVisible()
    expect(written).toHaveLength(1)
  })
})

describe('a file that somebody else saved meanwhile', () => {
  async function meet(): Promise<void> {
    await open()
    await type('x')
    disk = { text: 'motd: theirs\r\nport: 2\r\n', version: 5 }
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
    expect(disk?.text).toBe('motd: theirs\r\nport: 2\r\n')
  })

  it('is written over when mine is chosen, from the version that was shown', async () => {
    await meet()
    await userEvent.click(button('Save mine'))
    await isSaved()
    expect(written.at(-1)).toMatchObject({
      text: 'xmotd: hello\r\nport: 1\r\n',
      base: { kind: 'etag', etag: '"5"' },
    })
  })

  it('is asked about again when it changed once more', async () => {
    await meet()
    disk = { text: 'motd: third\r\n', version: 6 }
    await userEvent.click(button('Save mine'))
    await expect.element(page.getByRole('textbox', { name: /now on the server/ })).toMatchTextContent(/third/)
    expect(disk.text).toBe('motd: third\r\n')
  })

  it('is taken when theirs is chosen, and undoing brings mine back', async () => {
    await meet()
    await userEvent.click(button('Use theirs'))
    await expect.element(text()).toMatchTextContent(/motd: theirs/)
    await expect.element(button('Save')).toBeDisabled()
    expect(written).toHaveLength(1)
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
    expect(disk?.text).toBe('xmotd: hello\r\nport: 1\r\nextra: 3')
    await expect.element(text()).toMatchTextContent(/extra: 3/)
  })
})

describe('a file that was deleted meanwhile', () => {
  async function meet(): Promise<void> {
    await open()
    await type('x')
    disk = null
    await save()
    await expect.element(dialog('config.yml has been deleted')).toBeVisible()
  }

  it('is not made again without a word', async () => {
    await meet()
    await userEvent.click(button('Stay here'))
    expect(disk).toBeNull()
    await expect.element(text()).toMatchTextContent(/xmotd: hello/)
    expect(written.map((one) => one.base.kind)).toEqual(['etag'])
  })

  it('is made again when a person says so', async () => {
    await meet()
    await userEvent.click(button('Create it again'))
    await isSaved()
    expect(disk?.text).toBe('xmotd: hello\r\nport: 1\r\n')
    expect(written.at(-1)?.base).toEqual({ kind: 'create' })
  })

  it('is compared where somebody else made it again', async () => {
    await meet()
    disk = { text: 'motd: new\n', version: 3 }
    await userEvent.click(button('Create it again'))
    await expect
      .element(page.getByRole('textbox', { name: /now on the server/ }))
      .toMatchTextContent(/motd: new/)
  })

  it('is left closed', async () => {
    await meet()
    await userEvent.click(button('Close without saving'))
    expect(closed).toBe(1)
    expect(disk).toBeNull()
  })
})

describe('leaving', () => {
  it('asks nobody where everything is saved', async () => {
    await open()
    await userEvent.click(button('Close the file'))
    expect(closed).toBe(1)
  })

  it('asks, and stays with the text', async () => {
    await open()
    await type('x')
    await userEvent.click(button('Close the file'))
    await userEvent.click(button('Stay here'))
    expect(closed).toBe(0)
    await expect.element(text()).toMatchTextContent(/xmotd/)
  })

  it('saves first when that is chosen, and stays where that fails', async () => {
    await open()
    await type('x')
    broken = 'offline'
    await userEvent.click(button('Close the file'))
    await userEvent.click(button('Save and leave'))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Not saved/)
    expect(closed).toBe(0)
    broken = null
    await userEvent.click(button('Close the file'))
    await userEvent.click(button('Save and leave'))
    await expect.poll(() => closed).toBe(1)
    expect(disk?.text).toMatch(/^xmotd/)
  })

  it('is asked about too when another view is gone to', async () => {
    await open()
    await type('x')
    go({ view: 'settings' })
    await expect.element(dialog('Save the changes to config.yml?')).toBeVisible()
    expect(route()).toEqual({ view: 'home' })
    expect(location.hash).toBe('#/')
    await userEvent.click(button('Discard'))
    await expect.poll(() => route()).toEqual({ view: 'settings' })
    expect(written).toEqual([])
  })

  it('lets the browser ask before a reload, but only while something is unsaved', async () => {
    await open()
    const unload = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(unload()).toBe(false)
    await type('x')
    expect(unload()).toBe(true)
    await save()
    await isSaved()
    expect(unload()).toBe(false)
  })
})

describe('unsaved text', () => {
  it('is there again after the page was gone, on top of the version it grew from', async () => {
    const { unmount } = await open()
    await type('x')
    await unmount()
    disk = { text: 'motd: theirs\n', version: 2 }
    await open()
    await expect.element(text()).toMatchTextContent(/xmotd: hello/)
    await expect.element(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await userEvent.click(text())
    await save()
    await expect.element(page.getByRole('group', { name: /has been changed elsewhere/ })).toBeVisible()
    expect(written[0]?.base).toEqual({ kind: 'etag', etag: '"1"' })
  })

  it('is there again too where the window, and all it had kept, is gone', async () => {
    const { unmount } = await open()
    await type('x')
    await expect.poll(() => atMain?.text).toMatch(/^xmotd: hello/)
    await userEvent.keyboard('y')
    await expect.poll(() => atMain?.text).toMatch(/^xymotd: hello/)
    await unmount()
    sessionStorage.clear()
    await open()
    await expect.element(text()).toMatchTextContent(/^xymotd: hello/)
    await expect.element(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await userEvent.click(text())
    await save()
    await isSaved()
    expect(atMain).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })

  it('that was kept elsewhere later is the one that is offered', async () => {
    const { unmount } = await open()
    await type('x')
    await unmount()
    atMain = { text: 'motd: later\n', etag: '"1"', at: Date.now() + 1000 }
    await open()
    await expect.element(text()).toMatchTextContent(/^motd: later/)
  })

  it('longer than the browser keeps is kept by main, and where that fails too it is said', async () => {
    const long = `${'x'.repeat(99)}\n`.repeat(46_000)
    disk = { text: long, version: 1 }
    await open()
    await type('y')
    await expect.poll(() => atMain?.text).toHaveLength(long.length + 1)
    expect(page.getByText(/too long to keep/).query()).toBeNull()
    broken = 'offline'
    await userEvent.keyboard('z')
    await expect.element(page.getByText(/too long to keep/)).toBeVisible()
  })

  it('can be given up for what the file says', async () => {
    const { unmount } = await open()
    await type('x')
    await unmount()
    await open()
    await userEvent.click(button('Discard them'))
    await expect.element(text()).toMatchTextContent(/^motd: hello/)
    await expect.element(button('Save')).toBeDisabled()
    await expect.poll(() => atMain).toBeNull()
  })

  it('outlives the deletion of its file', async () => {
    const { unmount } = await open()
    await type('x')
    await unmount()
    disk = null
    await open()
    await userEvent.click(button('Create it again'))
    await isSaved()
    expect(written[0]).toMatchObject({ text: expect.stringMatching(/^xmotd/) as string })
  })
})

describe('former versions', () => {
  it('are compared with the text, and one is brought back unsaved', async () => {
    await open()
    await userEvent.click(button('Previous versions'))
    await expect.element(page.getByRole('textbox', { name: 'This version' })).toMatchTextContent(/before/)
    await userEvent.click(button('Restore'))
    await expect.element(text()).toMatchTextContent(/motd: before/)
    await expect.element(page.getByText('Unsaved', { exact: true })).toBeVisible()
    expect(written).toEqual([])
  })
})
