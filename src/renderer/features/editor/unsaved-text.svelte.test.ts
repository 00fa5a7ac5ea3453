import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { go, route } from '../../core/routes/router.svelte.ts'
import { at, button, dialog, isSaved, open, save, text, type } from './editor.fixture.ts'

describe('leaving', () => {
  it('asks nobody where everything is saved', async () => {
    await open()
    await userEvent.click(button('Close the file'))
    expect(at.closed).toBe(1)
  })

  it('asks, and stays with the text', async () => {
    await open()
    await type('x')
    await userEvent.click(button('Close the file'))
    await userEvent.click(button('Stay here'))
    expect(at.closed).toBe(0)
    await expect.element(text()).toMatchTextContent(/xmotd/)
  })

  it('saves first when that is chosen, and stays where that fails', async () => {
    await open()
    await type('x')
    at.broken = 'offline'
    await userEvent.click(button('Close the file'))
    await userEvent.click(button('Save and leave'))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Not saved/)
    expect(at.closed).toBe(0)
    at.broken = null
    await userEvent.click(button('Close the file'))
    await userEvent.click(button('Save and leave'))
    await expect.poll(() => at.closed).toBe(1)
    expect(at.disk?.text).toMatch(/^xmotd/)
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
    expect(at.written).toEqual([])
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
    at.disk = { text: 'motd: theirs\n', version: 2 }
    await open()
    await expect.element(text()).toMatchTextContent(/xmotd: hello/)
    await expect.element(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await userEvent.click(text())
    await save()
    await expect.element(page.getByRole('group', { name: /has been changed elsewhere/ })).toBeVisible()
    expect(at.written[0]?.base).toEqual({ kind: 'etag', etag: '"1"' })
  })

  it('is there again too where the window, and all it had kept, is gone', async () => {
    const { unmount } = await open()
    await type('x')
    await expect.poll(() => at.atMain?.text).toMatch(/^xmotd: hello/)
    await userEvent.keyboard('y')
    await expect.poll(() => at.atMain?.text).toMatch(/^xymotd: hello/)
    await unmount()
    sessionStorage.clear()
    await open()
    await expect.element(text()).toMatchTextContent(/^xymotd: hello/)
    await expect.element(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await userEvent.click(text())
    await save()
    await isSaved()
    expect(at.atMain).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })

  it('that was kept elsewhere later is the one that is offered', async () => {
    const { unmount } = await open()
    await type('x')
    await unmount()
    at.atMain = { text: 'motd: later\n', etag: '"1"', at: Date.now() + 1000 }
    await open()
    await expect.element(text()).toMatchTextContent(/^motd: later/)
  })

  it('longer than the browser keeps is kept by main, and where that fails too it is said', async () => {
    const long = `${'x'.repeat(99)}\n`.repeat(46_000)
    at.disk = { text: long, version: 1 }
    await open()
    await type('y')
    await expect.poll(() => at.atMain?.text).toHaveLength(long.length + 1)
    expect(page.getByText(/too long to keep/).query()).toBeNull()
    at.broken = 'offline'
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
    await expect.poll(() => at.atMain).toBeNull()
  })

  it('outlives the deletion of its file', async () => {
    const { unmount } = await open()
    await type('x')
    await unmount()
    at.disk = null
    await open()
    await userEvent.click(button('Create it again'))
    await isSaved()
    expect(at.written[0]).toMatchObject({ text: expect.stringMatching(/^xmotd/) as string })
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
    expect(at.written).toEqual([])
  })
})
