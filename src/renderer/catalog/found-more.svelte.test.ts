import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, FoundPack, View } from '../../contract/bridge/values.ts'
import '../app/theme.css'
import { panel } from '../core/panel.svelte.ts'
import { ScriptedBridge } from '../core/scripted-bridge.fixture.ts'
import { Finder, FOUND_MOST } from './finder.svelte.ts'
import FoundMore from './FoundMore.svelte'
import PackFinder from './PackFinder.svelte'

type SearchQuery = { query: string; sort?: string; cursor?: string }
type SearchPage = { items: FoundPack[]; next: string | null; more?: boolean }

const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})
const away = {
  ok: false as const,
  problem: { code: 'service-failed' as const, message: '', retryable: true },
}
const packs = (from: number, to: number): FoundPack[] =>
  Array.from({ length: to - from }, (_, at) => ({
    id: `p${from + at}`,
    name: `Pack ${from + at}`,
    hasIcon: false,
  }))

let connectionId = 0

/** A finder of a catalog that answers so. */
async function finder(answer: (asked: SearchQuery) => SearchPage | null) {
  const connection: Connection = {
    ...{ id: `f${++connectionId}`, kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
  }
  const all: SearchQuery[] = []
  window.panel = new ScriptedBridge({
    'view software.list': () => ({
      ok: false,
      problem: { code: 'unavailable', message: '', retryable: false },
    }),
    'view modpacks.search': ({ query }) => {
      all.push(query as SearchQuery)
      const found = answer(query as SearchQuery)
      return found ? shown({ leftOut: [], more: found.next !== null, ...found }) : away
    },
  })
  panel.take(connection)
  const nothing = () => {}
  await render(PackFinder, { connectionId: connection.id, choose: nothing, sent: nothing })
  return all
}

const more = () => page.getByRole('button', { name: 'Show more' })
const pack = (at: number) => page.getByRole('button', { name: `Pack ${at}`, exact: true })
/** What is said above what was found, and nothing beside it. */
const counted = (words: string) =>
  expect.poll(() => page.getByRole('status').element().textContent).toBe(words)

it('page by page everything is shown once, and the keyboard goes on with what has come', async () => {
  const asked = await finder(({ cursor }) =>
    cursor === undefined
      ? { items: packs(0, 3), next: 'a' }
      : cursor === 'a'
        ? // One that moved down meanwhile stands here too.
          { items: packs(2, 5), next: 'b' }
        : { items: packs(5, 6), next: null },
  )
  await counted('More than 3 modpacks')
  ;(more().element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await counted('More than 5 modpacks')
  await expect.element(pack(3)).toHaveFocus()
  ;(more().element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await counted('6 modpacks')
  await expect.element(pack(5)).toHaveFocus()
  await expect.element(more()).not.toBeInTheDocument()
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'a', 'b'])
})

it('what is sorted otherwise is asked for anew, and read on in that order', async () => {
  const asked = await finder(({ cursor }) => ({
    items: cursor ? packs(3, 5) : packs(0, 3),
    next: cursor ? null : 'a',
  }))
  const sort = page.getByRole('combobox', { name: 'Sort by' })
  const orders = () => [...(sort.element() as HTMLSelectElement).options].map(({ text }) => text)
  await expect.element(sort).toHaveDisplayValue('Most downloads')
  expect(orders()).toEqual(['Most downloads', 'Recently updated', 'Newest'])
  await more().click()
  await counted('5 modpacks')
  await sort.selectOptions('Recently updated')
  await expect.poll(() => asked.at(-1)).toEqual({ query: '', sort: 'updated' })
  await counted('More than 3 modpacks')
  await more().click()
  await expect.poll(() => asked.at(-1)).toEqual({ query: '', sort: 'updated', cursor: 'a' })
  await page.getByRole('searchbox').fill('castle')
  await expect.poll(() => asked.at(-1)).toEqual({ query: 'castle', sort: 'updated' })
  expect(orders()[0]).toBe('Best match')
  // What is usual where one looks for words goes without saying.
  await sort.selectOptions('Best match')
  await expect.poll(() => asked.at(-1)).toEqual({ query: 'castle' })
})

it('one category alone is asked for, and one with nothing in it says so', async () => {
  const asked = await finder((query) =>
    'category' in query ? { items: [], next: null } : { items: packs(0, 3), next: null },
  )
  await counted('3 modpacks')
  const category = page.getByRole('combobox', { name: 'Category' })
  await category.selectOptions('Quests')
  await expect.poll(() => asked.at(-1)).toEqual({ query: '', category: 'quests' })
  await expect.element(page.getByRole('heading', { name: 'Nothing in this category' })).toBeVisible()
  await category.selectOptions('All categories')
  await counted('3 modpacks')
  expect(asked.at(-1)).toEqual({ query: '' })
})

it('a page that cannot be read leaves what is shown, says why, and is asked for again', async () => {
  let isAway = true
  await finder(({ cursor }) =>
    cursor === undefined
      ? { items: packs(0, 3), next: 'a' }
      : isAway
        ? null
        : { items: packs(3, 4), next: null },
  )
  await more().click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(pack(2)).toBeVisible()
  isAway = false
  await more().click()
  await expect.element(pack(3)).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

it('no more is shown than anybody reads', async () => {
  const finder = new Finder(
    () => () => Promise.resolve({ items: packs(0, FOUND_MOST + 1), more: true, next: 'a' }),
  )
  await finder.search()
  expect(finder.found).toHaveLength(FOUND_MOST)
  expect(await finder.readOn()).toBeNull()
  await render(FoundMore, { finder, list: undefined })
  await expect.element(page.getByText(/^The panel shows no more than 300 at once/)).toBeVisible()
  await expect.element(more()).not.toBeInTheDocument()
})

it('where the service cannot be asked for more that is said', async () => {
  await finder(() => ({ items: packs(0, 1), next: null, more: true }))
  await expect.element(page.getByText('There is more. Type more to narrow it down.')).toBeVisible()
  await expect.element(more()).not.toBeInTheDocument()
})
