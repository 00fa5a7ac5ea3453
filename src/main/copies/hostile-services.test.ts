import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answerJson, oddService, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { openCopies, temporary, texts } from './copies.fixture.ts'

interface Entry {
  name: string
  kind?: string
  size?: number
  modifiedAt?: string
}

const TIME = '2026-05-01T00:00:00.000Z'
const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  ...{ name, kind: 'file', size: 2, modifiedAt: TIME },
  ...more,
})

/** A service with one stopped server, whose folders are as the test says. */
async function odd(
  list: (path: string) => Entry[] | OddAnswer,
  content: OddAnswer = (_request, response) => void response.end('ok'),
) {
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'u', name: 'Ann' }),
    'GET /servers': (_request, response) => answerJson(response, { items: [{ id: 'a', name: 'A' }] }),
    'GET /servers/a': (_request, response) => answerJson(response, { id: 'a', name: '../../A: b' }),
    'GET /servers/status/a': (_request, response) => answerJson(response, { status: 'offline' }),
    'GET /servers/files/a': (request, response, url) => {
      const listed = list(url.searchParams.get('path') ?? '')
      if (typeof listed === 'function') return listed(request, response, url)
      answerJson(response, { items: listed, nextCursor: null })
    },
    'GET /servers/files/content/a': content,
  })
  onTestFinished(() => service.close())
  const folder = await temporary()
  const dataDir = join(folder, 'inner', 'data')
  await mkdir(dataDir, { recursive: true })
  const at = await openCopies({ baseUrl: service.baseUrl, token: 'good' }, dataDir)
  return { ...at, service, folder, dataDir, copy: () => at.copy('a'), pathOf: () => at.pathOf('a', 0) }
}

it('names that lead elsewhere, or that no disk can have, are named as missing and written nowhere', async () => {
  const names = [
    '..',
    '.',
    '../up.txt',
    '/etc/passwd',
    'a/b',
    String.raw`..\up.txt`,
    'zero\u0000',
    'x'.repeat(300),
  ]
  const { copy, pathOf, folder, dataDir } = await odd((path) =>
    path === ''
      ? [
          entry('good.txt'),
          entry('good.txt'),
          ...names.map((name) => entry(name)),
          entry('..', { kind: 'folder' }),
          entry('sub', { kind: 'folder' }),
        ]
      : [entry('../../up.txt'), entry('in.txt')],
  )
  const { copies, last } = await copy()
  expect(last?.problem).toBeNull()
  const [made] = copies
  expect(made).toMatchObject({ files: 2, isWhole: true })
  // A name that is listed twice counts once.
  expect(made?.missing).toEqual([...names, 'sub/../../up.txt'].map((path) => ({ path, reason: 'name' })))
  expect(await texts(await pathOf())).toEqual({ 'good.txt': 'ok', 'sub/in.txt': 'ok' })
  expect(await readdir(folder)).toEqual(['inner'])
  expect(await readdir(join(folder, 'inner'))).toEqual(['data'])
  expect(await readdir(dataDir)).toEqual(expect.not.arrayContaining(['up.txt']))
  // What the server is called doesn't either.
  expect((await pathOf()).startsWith(join(dataDir, 'copies'))).toBe(true)
})

it('links and devices are left out, by name', async () => {
  const { copy } = await odd(() => [
    entry('good.txt'),
    entry('link', { kind: 'symlink' }),
    entry('pipe', { kind: 'other' }),
  ])
  const [made] = (await copy()).copies
  expect(made).toMatchObject({ files: 1, missingCount: 2, isWhole: true })
  expect(made?.missing).toEqual([
    { path: 'link', reason: 'link' },
    { path: 'pipe', reason: 'special' },
  ])
})

it('folders without end are left out below a depth', async () => {
  const { copy } = await odd((path) => [
    entry('f'),
    ...(path.length < 1000 ? [entry('d', { kind: 'folder' })] : []),
  ])
  const [made] = (await copy()).copies
  expect(made).toMatchObject({ files: 101, missingCount: 1, missing: [{ reason: 'deep' }] })
})

it('a list without end is refused', async () => {
  const { copy } = await odd(() => (_request, response, url) => {
    const page = Number(url.searchParams.get('cursor') ?? 0)
    const items = Array.from({ length: 50_000 }, (_, at) => entry(`${page} ${at}`, { kind: 'folder' }))
    answerJson(response, { items, nextCursor: String(page + 1) })
  })
  const { last, copies } = await copy()
  expect(last?.problem).toMatchObject({ code: 'too-large', text: { key: 'copies.too-large' } })
  expect(copies).toEqual([])
})

it('a list of nothing makes no copy', async () => {
  const { copy } = await odd(() => [])
  const { last, copies } = await copy()
  expect(last?.problem).toMatchObject({ text: { key: 'copies.nothing' } })
  expect(copies).toEqual([])
})

it('a file is never read further than it was said to be, and one that isn’t what was said is named', async () => {
  let sent = 0
  const { copy, pathOf } = await odd(
    () => [entry('endless', { size: 10 }), entry('short', { size: 100 }), entry('good.txt')],
    (_request, response, url) => {
      if (url.searchParams.get('path') === 'short') return void response.end('ok')
      if (url.searchParams.get('path') === 'good.txt') return void response.end('ok')
      const more = () => {
        while (response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    },
  )
  const [made] = (await copy()).copies
  expect(made).toMatchObject({ missingCount: 2, isWhole: false })
  expect(made?.missing.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
    'endless changed',
    'short changed',
  ])
  expect(await readdir(await pathOf())).toEqual(expect.arrayContaining(['good.txt']))
  expect(await stat(join(await pathOf(), 'endless')).catch(() => null)).toBeNull()
  // Buffers of the system aside.
  expect(sent).toBeLessThan(64 * 1024 * 1024)
})

it('sizes beyond this disk are refused before anything is read', async () => {
  let reads = 0
  const { copy } = await odd(
    () => [entry('huge', { size: 2 ** 50 })],
    (_request, response) => {
      reads++
      response.end('ok')
    },
  )
  const { last } = await copy()
  expect(last?.problem).toMatchObject({ code: 'too-large', text: { key: 'copies.no-room' } })
  expect(reads).toBe(0)
})

it('a file that may not be read is named; a server whose files may not be listed is a problem', async () => {
  const refuse: OddAnswer = (_request, response) =>
    answerJson(response, { error: { code: 'denied', message: 'No.' } }, 403)
  const { copy, pathOf, service } = await odd(
    (path) =>
      path === 'closed' ? refuse : [entry('a'), entry('secret'), entry('closed', { kind: 'folder' })],
    (request, response, url) =>
      url.searchParams.get('path') === 'secret' ? refuse(request, response, url) : void response.end('ok'),
  )
  const [made] = (await copy()).copies
  expect(made).toMatchObject({ files: 1, isWhole: false })
  expect(made?.missing).toEqual([
    { path: 'closed', reason: 'unread' },
    { path: 'secret', reason: 'unread' },
  ])
  expect(await readFile(join(await pathOf(), 'a'), 'utf8')).toBe('ok')
  service.routes['GET /servers/files/a'] = refuse
  expect((await copy()).last?.problem).toMatchObject({ code: 'forbidden' })
})

it('the newest whole copy stays, however many come after it that are not', async () => {
  let isBad = false
  const { copy, copies, server } = await odd(
    () => [entry('a', { size: isBad ? 3 : 2 })],
    (_request, response) => void response.end('ok'),
  )
  await copies.change(server('a'), { keep: 1 })
  const whole = (await copy()).copies[0]?.id
  isBad = true
  await copy()
  const after = (await copy()).copies
  expect(after).toHaveLength(2)
  expect(after[0]?.isWhole).toBe(false)
  expect(after[1]?.id).toBe(whole)
})

it('a file that changes while it is read is read again', async () => {
  const content = ['one', 'two!', 'two!']
  let reads = 0
  const { copy, pathOf } = await odd(
    () => [
      entry('a', { size: reads === 0 ? 3 : 4, modifiedAt: reads === 0 ? TIME : '2026-05-01T00:00:01Z' }),
    ],
    (_request, response) => void response.end(content[reads++]),
  )
  expect((await copy()).copies).toMatchObject([{ missingCount: 0, isWhole: true }])
  expect(await texts(await pathOf())).toEqual({ a: 'two!' })
  expect(reads).toBe(2)
})
