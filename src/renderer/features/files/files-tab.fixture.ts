import { afterEach, beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import { parseRoute, useTabs } from '../../core/routes/route.ts'
import { route } from '../../core/routes/router.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import Files from './Files.svelte'
import { file, FilesMain, folder } from './files-main.fixture.ts'
import { hold } from './operations/clipboard.svelte.ts'

/** The tab Files over a few files; each test begins with new ones. */
export let main: FilesMain

/** The room that the tab has in the panel. */
const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

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

export const grid = () => page.getByRole('grid', { name: 'Files' })
/** A row by how its name begins. */
export const row = (name: string) =>
  page.getByRole('row', { name: new RegExp(`^${name.replaceAll('.', '\\.')} `) })
const firstCells = (rows: string) =>
  [...document.querySelectorAll(`${rows} [role=gridcell]:first-child`)].map((cell) => cell.textContent.trim())
export const names = () => firstCells('[data-row]')
export const field = () => page.getByRole('searchbox', { name: 'Search' })

/** Chooses an entry of a button's menu. */
export async function choose(button: string, item: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export const selected = () => firstCells('[data-row][aria-selected=true]')

/** Shows the tab at its address, which may still be that of the test before. */
export async function show(): Promise<void> {
  await expect.poll(() => route()).toEqual(parseRoute(location.hash))
  await render(Files, { server: main.signIn() })
}

/** Shows the tab, with the focus in its list. */
export async function open(): Promise<void> {
  await show()
  await expect.element(grid()).toBeVisible()
  grid().element().focus()
}
