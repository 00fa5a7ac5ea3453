import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PageKey } from './key.ts'

/** The browser's store of one address. `full`: nothing new is written any more. */
const browser = { kept: new Map<string, string>(), full: false }
const given = new Map<string, string>()

beforeEach(() => {
  browser.kept.clear()
  browser.full = false
  given.clear()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => browser.kept.get(name) ?? null,
    setItem(name: string, value: string) {
      if (browser.full) throw new Error('QuotaExceededError')
      browser.kept.set(name, value)
    },
  })
  vi.stubGlobal('document', {
    querySelector(selector: string) {
      const name = /name="(.*)"/.exec(selector)?.[1] ?? ''
      return given.has(name) ? { content: given.get(name), remove: () => undefined } : null
    },
  })
  vi.stubGlobal('history', { replaceState: () => undefined })
  vi.stubGlobal('location', { hash: '' })
})
afterEach(() => vi.unstubAllGlobals())

function load(run: string, key: string | null): PageKey {
  given.clear()
  given.set('panel-run', run)
  if (key) given.set('page-key', key)
  const page = new PageKey()
  page.take()
  return page
}

it("is the page's own where the browser still keeps an earlier run's and takes no new one", () => {
  load('run1', 'old')
  browser.full = true
  expect(load('run2', 'new').value).toBe('new')
})

it('is the newer one where another tab was let in since', () => {
  const first = load('run1', 'old')
  expect(first.value).toBe('old')
  load('run2', 'new')
  expect(first.value).toBe('new')
  expect(load('run2', null).value).toBe('new')
})
