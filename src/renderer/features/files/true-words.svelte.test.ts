import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useTabs } from '../../core/route.ts'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import { parseRoute } from '../../core/route.ts'
import { route } from '../../core/router.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { dismiss, notices } from '../../ui/notices.svelte.ts'
import Files from './Files.svelte'
import { file, FilesMain, list, server } from './files-main.fixture.ts'

// What the tab says is so in every case that leads to it, and in the language of the moment.

/** The room that the tab has in the panel. */
const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

let main: FilesMain
// The address names a tab, as the frame tells the router.
useTabs(['files'])

beforeEach(() => {
  main = new FilesMain()
  main.folders.set('', [file('a.txt')])
  window.panel = main
  document.head.append(room)
  location.hash = '#/c/c/s/s/files'
})
afterEach(async () => {
  room.remove()
  await useLanguage('en')
  for (const notice of notices()) dismiss(notice.id)
})

async function open(): Promise<void> {
  await expect.poll(() => route()).toEqual(parseRoute(location.hash))
  await render(Files, { server: main.signIn() })
}
const leftOut = [{ index: 0, path: 'items.0.name' }]
const view = <T>(value: T) => ({
  ok: true as const,
  value: { value, asOf: '2026-11-20T10:00:00Z', stale: false, problem: null },
})

describe('the tab Files', () => {
  it('calls a folder empty only where it is, not where nothing in it could be shown', async () => {
    main.answer('view files.list', () => view(list([], leftOut)))
    await open()
    await expect.element(page.getByRole('heading', { name: 'Nothing here can be shown' })).toBeVisible()
    expect(page.getByText('This folder is empty').query()).toBeNull()
  })

  it('calls the trash empty only where it is', async () => {
    main.answer('view files.trash', () => view(list([], leftOut)))
    location.hash = '#/c/c/s/s/files?trash=1'
    await open()
    await expect.element(page.getByRole('heading', { name: 'Nothing here can be shown' })).toBeVisible()
    expect(page.getByRole('heading', { name: 'The trash is empty' }).query()).toBeNull()
    await expect.element(page.getByRole('button', { name: 'Empty trash' })).toBeEnabled()
  })

  it('sends nobody further up from the topmost folder', async () => {
    main.answer('view files.search', () => view(list([])))
    await open()
    await page.getByRole('button', { name: 'Search files' }).click()
    await page.getByLabelText('Name contains').fill('zz')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Try a shorter term.', { exact: true })).toBeVisible()
  })

  it('says why an entry failed in the language of the moment', async () => {
    const error = {
      code: 'panel.x',
      message: 'This transfer has ended or no longer exists.',
      text: { key: 'send.over' as const },
    }
    main.answer('files.remove', ({ paths }) => ({
      ok: true,
      value: {
        ...{ results: [{ path: paths[0] ?? '', outcome: 'failed', error }], trash: [] },
        kept: { ids: [], folders: [] },
      },
    }))
    await open()
    await page.getByRole('row', { name: /^a\.txt/ }).click()
    await userEvent.keyboard('{Delete}')
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toMatchTextContent(/This transfer has ended/)
    await useLanguage('de')
    await expect.element(dialog).not.toMatchTextContent(/This transfer has ended/)
    await expect.element(dialog).toMatchTextContent(/Übertragung/)
  })

  it('lets the notice of a deletion go where the trash is in sight', async () => {
    await open()
    await page.getByRole('row', { name: /^a\.txt/ }).click()
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => notices().map((one) => one.text())).toEqual(['“a.txt” was moved to the trash'])
    await page.getByRole('button', { name: 'Trash', exact: true }).click()
    await expect.element(page.getByRole('region', { name: 'Trash' })).toBeVisible()
    expect(notices()).toEqual([])
  })

  it('shows no job as running that nobody heard the end of', async () => {
    const job = { id: 'j', kind: 'archive', state: 'running', path: 'all.zip' } as const
    let jobs: (typeof job)[] = [job]
    main.answer('view files.jobs', () => view(list(jobs)))
    await open()
    await expect.element(page.getByRole('progressbar', { name: 'Creating all.zip' })).toBeVisible()
    jobs = []
    main.reach(false)
    main.reach(true)
    await expect.poll(() => page.getByRole('progressbar').query()).toBeNull()
    main.send('job', { ...server, job: { ...job, state: 'lost', error: null } })
    expect(notices().map((one) => one.text())).toEqual(['The outcome is not known: all.zip'])
  })
})
