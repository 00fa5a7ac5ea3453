import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import {
  appendFile,
  link,
  mkdir,
  readFile,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { startFileService, type FileService } from '../files/files.fixture.ts'

const stagingOf = ({ service, serverId }: FileService) =>
  readdirSync(path.join(service.dataDir, 'staging', serverId)).filter((name) => name.startsWith('tmp-'))

describe('listing', () => {
  test('names kinds, sizes and times, links as links', async () => {
    const one = await startFileService()
    await mkdir(path.join(one.root, 'plugins'))
    await writeFile(path.join(one.root, 'server.properties'), 'motd=hi')
    await utimes(path.join(one.root, 'server.properties'), 1e9, 1e9)
    await symlink('plugins', path.join(one.root, 'link'))
    const { status, body } = await one.ask('GET -')
    expect(status).toBe(200)
    expect(body.nextCursor).toBe(null)
    expect(body.items).toMatchObject([
      { name: 'link', kind: 'link' },
      { name: 'plugins', kind: 'folder', size: null },
      { name: 'server.properties', kind: 'file', size: 7, modifiedAt: '2001-09-09T01:46:40.000Z' },
    ])
    expect((await one.ask('GET - path=plugins')).body.items).toEqual([])
    expect((await one.ask('GET - path=none')).body.error.code).toBe('files.not-found')
    expect((await one.ask('GET - path=server.properties')).body.error.code).toBe('files.not-folder')
  })

  test('is paged by name, so that what comes and goes meanwhile hides nothing', async () => {
    const one = await startFileService()
    for (const name of ['a', 'b', 'c', 'd']) await writeFile(path.join(one.root, name), '')
    const first = (await one.ask('GET - limit=2')).body
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
    await one.ask('POST delete', { body: { paths: ['a', 'b'] } })
    const second = (await one.ask(`GET - limit=2&cursor=${first.nextCursor}`)).body
    expect(second.items.map(({ name }: { name: string }) => name)).toEqual(['c', 'd'])
    expect(second.nextCursor).toBe(null)
    expect((await one.ask('GET - cursor=eA')).status).toBe(422)
  })

  test('of 20,000 entries holds every one', async () => {
    const one = await startFileService()
    await mkdir(path.join(one.root, 'many'))
    const names = Array.from({ length: 20_000 }, (_, i) => `entry-${i}.dat`)
    for (let i = 0; i < names.length; i += 500)
      await Promise.all(
        names.slice(i, i + 500).map((name) => writeFile(path.join(one.root, 'many', name), name)),
      )
    const { body } = await one.ask('GET - path=many&limit=50000')
    expect(new Set(body.items.map(({ name }: { name: string }) => name))).toEqual(new Set(names))
  })

  test('of another owner is not there', async () => {
    const one = await startFileService()
    const token = await one.account('bob@example.org')
    for (const route of ['GET -', 'GET content path=a', 'GET trash', 'GET limits', 'PUT content path=a']) {
      const answer = await one.ask(route, { token, ...(route.startsWith('PUT') && { body: 'x' }) })
      expect([answer.status, answer.body.error.code], route).toEqual([404, 'server.not-found'])
    }
    expect(readdirSync(one.root)).toEqual([])
  })
})

describe('reading', () => {
  test('answers the bytes with an entity tag, and 304 to who has them', async () => {
    const one = await startFileService()
    const bytes = randomBytes(3_000_000)
    await writeFile(path.join(one.root, 'world.dat'), bytes)
    const read = await one.raw('GET content path=world.dat')
    expect(read.status).toBe(200)
    expect(read.headers.get('content-length')).toBe('3000000')
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)
    const tag = read.headers.get('etag') ?? ''
    const again = await one.raw('GET content path=world.dat', { headers: { 'If-None-Match': tag } })
    expect([again.status, again.headers.get('etag')]).toEqual([304, tag])
    await appendFile(path.join(one.root, 'world.dat'), 'more')
    const anew = await one.raw('GET content path=world.dat', { headers: { 'If-None-Match': tag } })
    expect([anew.status, (await anew.arrayBuffer()).byteLength]).toEqual([200, 3_000_004])
  })

  test('answers HEAD without a body and empty files with none', async () => {
    const one = await startFileService()
    await writeFile(path.join(one.root, 'a.txt'), 'hello')
    await writeFile(path.join(one.root, 'empty'), '')
    const head = await one.raw('HEAD content path=a.txt')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', ''])
    const empty = await one.raw('GET content path=empty')
    expect([empty.status, empty.headers.get('content-length'), await empty.text()]).toEqual([200, '0', ''])
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-4', 206, '6789', 'bytes 6-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('answers the range %s', async (range, status, text, shown) => {
    const one = await startFileService()
    await writeFile(path.join(one.root, 'a.txt'), '0123456789')
    const read = await one.raw('GET content path=a.txt', { headers: { Range: range } })
    expect([read.status, await read.text(), read.headers.get('content-range')]).toEqual([status, text, shown])
  })

  test('refuses a range that is not there, and reads the whole where the file changed since (If-Range)', async () => {
    const one = await startFileService()
    await writeFile(path.join(one.root, 'a.txt'), '0123456789')
    for (const range of ['bytes=10-', 'bytes=-0']) {
      const read = await one.raw('GET content path=a.txt', { headers: { Range: range } })
      expect([read.status, read.headers.get('content-range')]).toEqual([416, 'bytes */10'])
      expect((await read.json()).error.code).toBe('files.range')
    }
    const changed = { Range: 'bytes=4-', 'If-Range': '"old"' }
    const whole = await one.raw('GET content path=a.txt', { headers: changed })
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
  })

  test('breaks off rather than look whole where the file becomes shorter meanwhile', async () => {
    const one = await startFileService()
    const file = path.join(one.root, 'big')
    await writeFile(file, '')
    await truncate(file, 200_000_000)
    const read = await one.raw('GET content path=big')
    await truncate(file, 1000)
    await expect(read.arrayBuffer()).rejects.toThrow()
  })

  test('refuses folders, what is not there, and what is no file', async () => {
    const one = await startFileService()
    await mkdir(path.join(one.root, 'world'))
    expect((await one.ask('GET content path=world')).body.error.code).toBe('files.is-folder')
    expect((await one.ask('GET content path=')).body.error.code).toBe('files.is-folder')
    expect((await one.ask('GET content path=none')).body.error.code).toBe('files.not-found')
    expect((await one.ask('GET content path=../x')).status).toBe(422)
  })
})

describe('writing', () => {
  const put = (one: FileService, name: string, body: string, headers: Record<string, string> = {}) =>
    one.ask(`PUT content path=${name}`, { body, headers: { 'Content-Type': 'text/plain', ...headers } })

  test('makes a file with the folders above it and answers its new tag', async () => {
    const one = await startFileService()
    const made = await put(one, 'plugins/a/config.yml', 'a: 1')
    expect(made.body).toMatchObject({ entry: { name: 'config.yml', kind: 'file', size: 4 }, running: false })
    expect(await one.onDisk('plugins/a/config.yml')).toBe('a: 1')
    const read = await one.raw('GET content path=plugins/a/config.yml')
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    expect(stagingOf(one)).toEqual([])
  })

  test('with the tag that was read replaces it, with another one refuses and leaves it alone', async () => {
    const one = await startFileService()
    const first = (await put(one, 'a.txt', 'one')).headers.get('etag') ?? ''
    const second = await put(one, 'a.txt', 'two', { 'If-Match': first })
    expect(second.status).toBe(200)
    const third = await put(one, 'a.txt', 'three', { 'If-Match': first })
    expect([third.status, third.body.error.code]).toEqual([412, 'files.changed'])
    expect(third.headers.get('etag')).toBe(second.headers.get('etag'))
    expect(await one.onDisk('a.txt')).toBe('two')
  })

  test('of a file that was deleted meanwhile does not make it again', async () => {
    const one = await startFileService()
    const tag = (await put(one, 'a.txt', 'one')).headers.get('etag') ?? ''
    await one.ask('POST delete', { body: { paths: ['a.txt'] } })
    const gone = await put(one, 'a.txt', 'two', { 'If-Match': tag })
    expect([gone.status, gone.body.error.code]).toEqual([404, 'files.not-found'])
    expect(readdirSync(one.root)).toEqual([])
  })

  test('of two at once with the same tag lets one through', async () => {
    const one = await startFileService()
    const tag = (await put(one, 'a.txt', 'start')).headers.get('etag') ?? ''
    const texts = Array.from({ length: 8 }, (_, i) => `text ${i}`)
    const answers = await Promise.all(texts.map((text) => put(one, 'a.txt', text, { 'If-Match': tag })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
    expect(await one.onDisk('a.txt')).toBe(texts[answers.findIndex(({ status }) => status === 200)])
  })

  test('only a new one (If-None-Match: *) leaves one that is there alone', async () => {
    const one = await startFileService()
    expect((await put(one, 'a.txt', 'one', { 'If-None-Match': '*' })).status).toBe(200)
    const second = await put(one, 'a.txt', 'two', { 'If-None-Match': '*' })
    expect([second.status, second.body.error.code]).toEqual([409, 'files.exists'])
    expect(await one.onDisk('a.txt')).toBe('one')
  })

  test('never onto a folder, and keeps the mode of what it replaces', async () => {
    const one = await startFileService()
    await mkdir(path.join(one.root, 'world'))
    expect((await put(one, 'world', 'x')).body.error.code).toBe('files.is-folder')
    await writeFile(path.join(one.root, 'start.sh'), 'x', { mode: 0o700 })
    await put(one, 'start.sh', 'y')
    expect((await stat(path.join(one.root, 'start.sh'))).mode & 0o777).toBe(0o700)
  })

  test('more than a JSON body may hold is fine', async () => {
    const one = await startFileService()
    const text = 'x'.repeat(4 * 1024 * 1024)
    expect((await put(one, 'a.txt', text)).status).toBe(200)
    expect((await stat(path.join(one.root, 'a.txt'))).size).toBe(text.length)
  })

  test('too large or over the quota is refused before the body is read, and as it comes where its length is not said', async () => {
    const one = await startFileService({ fileLimits: { maxFileBytes: 1000, quotaBytes: 1500 } })
    const large = await put(one, 'a.txt', 'x'.repeat(1001))
    expect([large.status, large.body.error.code]).toEqual([413, 'files.too-large'])
    const stream = new Blob(['x'.repeat(1001)]).stream()
    const unsaid = await one.raw('PUT content path=a.txt', { body: stream, duplex: 'half' })
    expect([unsaid.status, (await unsaid.json()).error.code]).toEqual([413, 'files.too-large'])
    expect((await put(one, 'a.txt', 'x'.repeat(900))).status).toBe(200)
    const over = await put(one, 'b.txt', 'x'.repeat(900))
    expect([over.status, over.body.error.code]).toEqual([507, 'files.quota'])
    const unsaidOver = await one.raw('PUT content path=b.txt', {
      body: new Blob(['x'.repeat(900)]).stream(),
      duplex: 'half',
    })
    expect([unsaidOver.status, (await unsaidOver.json()).error.code]).toEqual([507, 'files.quota'])
    // What it takes the place of makes room for it.
    expect((await put(one, 'a.txt', 'y'.repeat(1000))).status).toBe(200)
    expect(readdirSync(one.root)).toEqual(['a.txt'])
    expect(stagingOf(one)).toEqual([])
  })

  test('that breaks off leaves what was there and nothing behind', async () => {
    const one = await startFileService()
    await put(one, 'a.txt', 'one')
    const { hostname, port } = new URL(one.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PUT /api/v1/servers/files/content/${one.serverId}?path=a.txt HTTP/1.1\r\nHost: x\r\n` +
        `Authorization: Bearer ${one.token}\r\nContent-Length: 1000\r\n\r\nhalf`,
    )
    await expect.poll(() => stagingOf(one).length).toBe(1)
    socket.destroy()
    await once(socket, 'close')
    await expect.poll(() => stagingOf(one)).toEqual([])
    expect(await one.onDisk('a.txt')).toBe('one')
  })

  test('says that the server runs', async () => {
    const one = await startFileService()
    await one.call(`POST /servers/power/${one.serverId}`, { token: one.token, body: { action: 'start' } })
    expect((await put(one, 'a.txt', 'one')).body.running).toBe(true)
  })
})

describe('folders', () => {
  test('are made with those above, and refused where the name is taken', async () => {
    const one = await startFileService()
    const made = await one.ask('POST folder', { body: { path: 'a/b/世界' } })
    expect([made.status, made.body.entry]).toMatchObject([201, { name: '世界', kind: 'folder' }])
    expect((await one.ask('POST folder', { body: { path: 'a/b' } })).body.error.code).toBe('files.exists')
    expect((await one.ask('POST folder', { body: { path: 'a/b', conflict: 'skip' } })).status).toBe(201)
    await writeFile(path.join(one.root, 'file'), '')
    const file = await one.ask('POST folder', { body: { path: 'file', conflict: 'skip' } })
    expect(file.body.error.code).toBe('files.not-folder')
  })
})

describe('moving and copying', () => {
  const tree = async (one: FileService) => {
    await mkdir(path.join(one.root, 'world/region'), { recursive: true })
    await writeFile(path.join(one.root, 'world/level.dat'), 'level')
    await writeFile(path.join(one.root, 'world/region/r.0.0.mca'), randomBytes(100_000))
    await utimes(path.join(one.root, 'world/level.dat'), 1e9, 1e9)
    await utimes(path.join(one.root, 'world/region'), 1.1e9, 1.1e9)
  }
  const act = async (
    one: FileService,
    verb: string,
    items: { from: string; to: string }[],
    conflict?: string,
  ) => (await one.ask(`POST ${verb}`, { body: { items, ...(conflict && { conflict }) } })).body.results

  test('answers each item for itself', async () => {
    const one = await startFileService()
    await writeFile(path.join(one.root, 'a'), 'a')
    await writeFile(path.join(one.root, 'b'), 'b')
    const results = await act(one, 'move', [
      { from: 'a', to: 'new/a' },
      { from: 'none', to: 'x' },
      { from: 'b', to: '../b' },
      { from: 'b', to: 'new/a' },
    ])
    expect(results).toMatchObject([
      { path: 'a', outcome: 'done', finalPath: 'new/a' },
      { path: 'none', outcome: 'failed', error: { code: 'files.not-found' } },
      { path: 'b', outcome: 'failed', error: { code: 'files.outside' } },
      { path: 'b', outcome: 'failed', error: { code: 'files.exists' } },
    ])
    expect([await one.onDisk('new/a'), await one.onDisk('b')]).toEqual(['a', 'b'])
  })

  test('copies trees with their times, byte for byte', async () => {
    const one = await startFileService()
    await tree(one)
    expect(await act(one, 'copy', [{ from: 'world', to: 'backup/world' }])).toMatchObject([
      { outcome: 'done' },
    ])
    const there = (name: string) => stat(path.join(one.root, 'backup/world', name))
    expect((await there('level.dat')).mtimeMs).toBe(1e12)
    expect((await there('region')).mtimeMs).toBe(1.1e12)
    const region = 'world/region/r.0.0.mca'
    const [was, is] = [path.join(one.root, region), path.join(one.root, 'backup', region)]
    expect((await readFile(is)).equals(await readFile(was))).toBe(true)
    expect(stagingOf(one)).toEqual([])
  })

  test('never puts a folder into itself, also not through a link', async () => {
    const one = await startFileService()
    await tree(one)
    await symlink('world/region', path.join(one.root, 'link'))
    for (const verb of ['move', 'copy'])
      for (const to of ['world/inner', 'world/region/deep/inner', 'link/inner'])
        expect(await act(one, verb, [{ from: 'world', to }]), `${verb} ${to}`).toMatchObject([
          { outcome: 'failed', error: { code: 'files.into-itself' } },
        ])
    expect(readdirSync(path.join(one.root, 'world')).sort()).toEqual(['level.dat', 'region'])
  })

  test.each(['move', 'copy'])(
    '%s: a taken name is refused, skipped, numbered or replaced as asked',
    async (verb) => {
      const one = await startFileService()
      const fresh = async () => {
        await writeFile(path.join(one.root, 'new.tar.gz'), 'new')
        await writeFile(path.join(one.root, 'old.tar.gz'), 'old')
      }
      const items = [{ from: 'new.tar.gz', to: 'old.tar.gz' }]
      await fresh()
      expect(await act(one, verb, items)).toMatchObject([
        { outcome: 'failed', error: { code: 'files.exists' } },
      ])
      expect(await act(one, verb, items, 'skip')).toMatchObject([{ outcome: 'skipped' }])
      expect(await one.onDisk('old.tar.gz')).toBe('old')
      const kept = await act(one, verb, items, 'keep-both')
      expect(kept).toMatchObject([{ outcome: 'done', finalPath: 'old (2).tar.gz' }])
      expect([await one.onDisk('old.tar.gz'), await one.onDisk('old (2).tar.gz')]).toEqual(['old', 'new'])
      await fresh()
      expect(await act(one, verb, items, 'replace')).toMatchObject([
        { outcome: 'done', finalPath: 'old.tar.gz' },
      ])
      expect(await one.onDisk('old.tar.gz')).toBe('new')
      expect(existsSync(path.join(one.root, 'new.tar.gz'))).toBe(verb === 'copy')
      // What was replaced can be brought back.
      const [held] = (await one.ask('GET trash')).body.items
      expect(held).toMatchObject({ path: 'old.tar.gz', size: 3 })
      await one.ask('POST restore', { body: { ids: [held.id], conflict: 'keep-both' } })
      expect(readdirSync(one.root)).toContain('old (3).tar.gz')
    },
  )

  test('replaces a folder as a whole, and the old one is in the trash', async () => {
    const one = await startFileService()
    await tree(one)
    await mkdir(path.join(one.root, 'old'))
    await writeFile(path.join(one.root, 'old/mine'), 'mine')
    expect(await act(one, 'move', [{ from: 'world', to: 'old' }])).toMatchObject([{ outcome: 'failed' }])
    expect(await act(one, 'move', [{ from: 'world', to: 'old' }], 'replace')).toMatchObject([
      { outcome: 'done' },
    ])
    expect(readdirSync(path.join(one.root, 'old')).sort()).toEqual(['level.dat', 'region'])
    expect((await one.ask('GET trash')).body.items).toMatchObject([{ path: 'old', kind: 'folder', size: 4 }])
  })

  test('onto itself loses nothing, also where a file has two names', async () => {
    const one = await startFileService()
    await writeFile(path.join(one.root, 'a'), 'a')
    await link(path.join(one.root, 'a'), path.join(one.root, 'b'))
    expect(await act(one, 'move', [{ from: 'a', to: 'a' }], 'replace')).toMatchObject([{ outcome: 'done' }])
    expect(await act(one, 'copy', [{ from: 'a', to: 'a' }], 'replace')).toMatchObject([{ outcome: 'done' }])
    expect(readdirSync(one.root).sort()).toEqual(['a', 'b'])
    expect(await act(one, 'move', [{ from: 'a', to: 'b' }], 'replace')).toMatchObject([{ outcome: 'done' }])
    expect(readdirSync(one.root)).toEqual(['b'])
    expect(await one.onDisk('b')).toBe('a')
  })

  test('a copy is refused where it does not fit', async () => {
    const one = await startFileService({ fileLimits: { quotaBytes: 150_000 } })
    await tree(one)
    expect(await act(one, 'copy', [{ from: 'world', to: 'copy' }])).toMatchObject([
      { outcome: 'failed', error: { code: 'files.quota' } },
    ])
    expect(stagingOf(one)).toEqual([])
  })

  test('a copy ends when who asked goes away, and leaves nothing', async () => {
    const one = await startFileService()
    await mkdir(path.join(one.root, 'big'))
    for (let i = 0; i < 40; i++)
      await writeFile(path.join(one.root, 'big', `${i}`), Buffer.alloc(10_000_000, i))
    const abort = new AbortController()
    const copying = one.raw('POST copy', {
      signal: abort.signal,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ items: [{ from: 'big', to: 'copy' }] }),
    })
    await expect.poll(() => stagingOf(one).length).toBe(1)
    abort.abort()
    await expect(copying).rejects.toThrow()
    await expect.poll(() => stagingOf(one)).toEqual([])
    expect(readdirSync(one.root)).toEqual(['big'])
  })
})

describe('limits', () => {
  test('tell the quota, what is used with the trash, and what a batch holds', async () => {
    const one = await startFileService({ fileLimits: { quotaBytes: 10_000, maxFileBytes: 5000 } })
    await writeFile(path.join(one.root, 'a'), 'x'.repeat(1000))
    await one.ask('PUT content path=b', { body: 'x'.repeat(500) })
    await one.ask('POST delete', { body: { paths: ['a'] } })
    expect((await one.ask('GET limits')).body).toEqual({
      maxFileBytes: 5000,
      quotaBytes: 10_000,
      usedBytes: 1500,
      freeBytes: 8500,
      resumable: true,
      batch: { maxFiles: 5000, maxBytes: 268_435_456 },
      trash: { maxBytes: 2500, maxDays: 30 },
    })
  })

  test('without a quota name the room on the disk', async () => {
    const one = await startFileService()
    const { body } = await one.ask('GET limits')
    expect([body.quotaBytes, body.maxFileBytes]).toEqual([null, null])
    expect(body.freeBytes).toBeGreaterThan(0)
  })
})
