import { beforeEach, afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import { parseRoute, useTabs } from '../../core/routes/route.ts'
import { route } from '../../core/routes/router.svelte.ts'
import Files from './Files.svelte'
import { file, FilesMain } from './files-main.fixture.ts'
import { choose, field } from './files-tab.fixture.ts'

/** The room that the tab has in the panel. */
const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

let main: FilesMain

// The address names a tab, as the frame tells the router.
useTabs(['files'])

beforeEach(() => {
  main = new FilesMain()
  main.folders.set('', [file('server.properties', 1200)])
  window.panel = main
  document.head.append(room)
  location.hash = '#/c/c/s/s/files'
})
afterEach(() => room.remove())

async function open(): Promise<void> {
  // The address of the test before may still be shown.
  await expect.poll(() => route()).toEqual(parseRoute(location.hash))
  await render(Files, { server: main.signIn() })
  await expect.element(page.getByRole('grid', { name: 'Files' })).toBeVisible()
}

describe('a search whose answer leaves something open', () => {
  const leftOut = [{ index: 0, path: 'items.0.path' }]
  it.each<[FilesMain['open'], string]>([
    [{ more: true }, 'The service sent no results'],
    [{ more: 'perhaps' }, 'The service sent no results'],
    [{ leftOut }, '1 item couldn’t be read, so it is not shown'],
  ])('does not say that there are no results where the answer leaves it open: %j', async (left, words) => {
    main.open = left
    await open()
    await field().fill('x')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(words)).toBeVisible()
    expect(page.getByText('No results', { exact: true }).query()).toBeNull()
    expect(page.getByText(/shorter term/).query()).toBeNull()
  })

  it('says beside what was found what could not be read, and that there may be more', async () => {
    main.open = { more: 'perhaps', leftOut }
    main.hits = [{ path: 'world/spawn.yml', kind: 'file' }]
    await open()
    await field().fill('x')
    await userEvent.keyboard('{Enter}')
    await expect
      .element(page.getByText(/^1 found · There may be more.* · 1 item couldn’t be read/))
      .toBeVisible()
  })
})

describe('a trash whose list leaves something open', () => {
  it('is not said to be empty where the service may hold more of it', async () => {
    main.open = { more: 'perhaps' }
    await open()
    await choose('More for this folder', 'Trash')
    await expect.element(page.getByText(/There may be more/)).toBeVisible()
    expect(page.getByText('The trash is empty').query()).toBeNull()
    await expect.element(page.getByRole('button', { name: 'Empty trash' })).toBeEnabled()
  })
})
