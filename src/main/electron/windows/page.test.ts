import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pageFiles } from '../../page/files.ts'
import { told } from '../../../../tests/doubles/electron/electron.ts'
import { PAGE_ADDRESS, registerScheme, servePage } from './page.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-page-'))
  await mkdir(join(folder, 'page/assets'), { recursive: true })
  await writeFile(join(folder, 'page/index.html'), '<!doctype html>')
  await writeFile(join(folder, 'page/assets/main-1a.js'), 'export {}')
  await writeFile(join(folder, 'page/secret.txt'), 'no page file')
  await writeFile(join(folder, 'beside.html'), 'outside')
  servePage(pageFiles(join(folder, 'page')))
})
afterAll(() => rm(folder, { recursive: true }))

const get = async (url: string, method = 'GET') => {
  const handler = told.page.get('app')
  if (!handler) throw new Error('nothing serves app:')
  // A Request would tidy the address up; what Chromium sends is judged as it is.
  return await handler({ url, method } as Request)
}

describe("the page's own scheme", () => {
  it('is treated like https, and not like a file', () => {
    registerScheme()
    expect(told.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    ])
  })

  it('serves built files with their type', async () => {
    const page = await get(PAGE_ADDRESS)
    expect(page.status).toBe(200)
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toBe('<!doctype html>')
    const script = await get('app://panel/assets/main-1a.js?v=1#x')
    expect(script.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
    expect(await (await get('app://panel/')).text()).toBe('<!doctype html>')
  })

  it('sends the content security policy with every answer, also a refusal', async () => {
    for (const url of [PAGE_ADDRESS, 'app://panel/nothing']) {
      expect((await get(url)).headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-elem 'self' 'unsafe-inline'; " +
          "style-src-attr 'none'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; " +
          "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html",
      )
    }
  })

  it.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    expect((await get(PAGE_ADDRESS, method)).status).toBe(405)
  })

  it.each([
    'app://panel/secret.txt',
    'app://panel/../beside.html',
    'app://panel/%2e%2e/beside.html',
    'app://panel/..%2fbeside.html',
    'app://panel/assets/..%5c..%5cbeside.html',
    'app://panel//index.html',
    'app://panel/index.html/',
    'app://other/index.html',
    'app://panel.example/index.html',
    'app://user@panel/index.html',
    'file:///etc/passwd',
  ])('has no %s', async (url) => {
    expect((await get(url)).status).toBe(404)
  })

  it('says that a file cannot be read when it is gone since', async () => {
    const files = new Map([
      ['/a.js', { type: 'text/javascript', read: () => Promise.reject(new Error('gone')) }],
    ])
    servePage(files)
    expect((await get('app://panel/a.js')).status).toBe(500)
  })
})
