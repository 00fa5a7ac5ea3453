import { once } from 'node:events'
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { expect, test } from './fixtures/journey.ts'

// What another user of this computer can get out of somebody's browser, and what that is good for.

test('a program on another port is handed the cookie by the browser, and can do nothing with it @browser', async ({
  openPanel,
  context,
  place,
}) => {
  const { page, address } = await openPanel()
  await expect(page.getByRole('heading', { name: 'Wheelhouse' })).toBeVisible()
  const { origin } = new URL(address)

  // Another user's program, which the browser is led to.
  const asked: IncomingHttpHeaders[] = []
  const thief = createServer((request, response) => {
    asked.push(request.headers)
    response.setHeader('Content-Type', 'text/html').end(
      `<!doctype html><link rel="icon" href="data:,"><script>
        const tries = [fetch('${origin}/', { credentials: 'include' }), fetch('${origin}/uploads', {
          method: 'POST', credentials: 'include', body: '{}' })]
        const socket = new Promise((open, fail) => {
          const one = new WebSocket('${origin.replace('http', 'ws')}/socket', ['wheelhouse'])
          one.onopen = open
          one.onerror = fail
        })
        const kept = JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])
        Promise.allSettled([...tries, socket]).then((all) => {
          document.title = all.map(({ status }) => status).join() + ' ' + kept
        })
      </script>`,
    )
  })
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve))
  place.atEnd(() => new Promise((resolve) => thief.close(resolve).closeAllConnections()))
  const lured = await context.newPage()
  await lured.goto(`http://127.0.0.1:${(thief.address() as AddressInfo).port}/`)
  await expect(lured).toHaveTitle('rejected,rejected,rejected ["",{},{}]')
  await lured.close()

  // The browser gave it away, as cookies are for a host and not for a port.
  const cookie = asked.map((headers) => headers.cookie ?? '').find((one) => one !== '') ?? ''
  expect(cookie).toMatch(/^wheelhouse-\d+=/)
  // Everything that a program can claim to be.
  const own = { cookie, origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
  for (const protocols of [[], ['wheelhouse'], ['wheelhouse', cookie.split('=')[1] ?? '']]) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, protocols, { headers: own })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('403')
  }
  for (const [method, at] of [
    ['POST', '/uploads'],
    ['PUT', '/uploads/t/1'],
    ['DELETE', '/uploads/t/1'],
  ] as const)
    expect((await fetch(origin + at, { method, headers: own, body: '{}' })).status).toBe(403)
  // And nothing it can fetch has the key in it.
  const key = await page.evaluate(() => localStorage.getItem('page-key')?.split(' ')[1] ?? '')
  expect(key).toMatch(/^[\w-]{43}$/)
  for (const at of [
    '/',
    `/${new URL(address).search}`,
    '/browser.html',
    '/index.html',
    '/socket',
    '/uploads',
  ])
    for (const headers of [own, { cookie }]) {
      const answer = await fetch(origin + at, { headers, redirect: 'manual' })
      expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain(key)
    }
  // The page has it neither in its address nor in what it shows.
  expect(page.url()).toBe(`${origin}/`)
  expect(await page.content()).not.toContain(key)
})

test('a page goes on by its key when it is loaded again and in another tab, and says so without @browser', async ({
  openPanel,
  context,
  guard,
}) => {
  const { page, address } = await openPanel()
  const heading = { name: 'Wheelhouse' }
  await expect(page.getByRole('heading', heading)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', heading)).toBeVisible()
  const other = await context.newPage()
  await guard.watch(other)
  // The code was used: the browser that used it is led on.
  await other.goto(address)
  await expect(other.getByRole('heading', heading)).toBeVisible()
  await other.evaluate(() => localStorage.removeItem('page-key'))
  await other.reload()
  await expect(other.getByText('This page is not signed in to a running panel.')).toBeVisible()
})

test('the browser is opened by a file that this user alone can read, and no program has the code in its arguments @browser', async ({
  page,
  place,
}) => {
  // Stands in for the browser's own program: it writes down what it was given, and what every user could see of others.
  const seen = place.at('seen')
  const script = `#!/bin/sh\ncat /proc/[0-9]*/cmdline | tr '\\0' ' ' > '${seen}.all'\nprintf %s "$1" > '${seen}.given'\n`
  await mkdir(place.at('.local/share/applications'), { recursive: true })
  await mkdir(place.at('.config'))
  await mkdir(place.at('bin'))
  await writeFile(place.at('bin/google-chrome'), script, { mode: 0o755 })
  const entry = '[Desktop Entry]\nType=Application\nName=Chrome\nExec=google-chrome %U\n'
  await writeFile(place.at('.local/share/applications/google-chrome.desktop'), entry)
  const chosen = '[Default Applications]\nx-scheme-handler/http=google-chrome.desktop\n'
  await writeFile(place.at('.config/mimeapps.list'), chosen)
  const env = { PATH: `${place.at('bin')}:${process.env.PATH}`, DISPLAY: ':0' }
  const panel = place.start('web', ['--data', place.at('panel')], { env })
  const address = await panel.says(/^Panel: (\S+)$/m)
  const code = new URL(address).searchParams.get('code') ?? ''
  await expect.poll(() => readFile(`${seen}.given`, 'utf8').catch(() => '')).toMatch(/\.html$/)
  const file = await readFile(`${seen}.given`, 'utf8')
  const arguments_ = await readFile(`${seen}.all`, 'utf8')
  expect(arguments_).toContain(file)
  expect(code).toMatch(/^[\w-]{32}$/)
  expect(arguments_).not.toContain(code)
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
  expect(((await stat(place.at('panel/open'))).mode & 0o777).toString(8)).toBe('700')

  // A real browser follows it, and the file is gone.
  await page.goto(`file://${file}`)
  await expect(page.getByRole('heading', { name: 'Wheelhouse' })).toBeVisible()
  await expect(page).toHaveURL(`${new URL(address).origin}/`)
  await expect.poll(() => readdir(place.at('panel/open'))).toEqual([])
})
