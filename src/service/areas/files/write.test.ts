import { readdirSync, readlinkSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { stagingOf, startFileService, type FileService } from '../../files/files.fixture.ts'

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

  // Which files a process holds open is told there alone.
  test.runIf(process.platform === 'linux')(
    'to a file that the running server holds open puts it there whole, and says that the server runs',
    async () => {
      const one = await startFileService()
      const power = { token: one.token, body: { action: 'start' } }
      expect((await one.call(`POST /servers/power/${one.serverId}`, power)).status).toBe(202)
      const status = async () =>
        (await one.call(`GET /servers/status/${one.serverId}`, { token: one.token })).body.status
      await expect.poll(status, { timeout: 50_000 }).toBe('online')
      // It opens the file of a part of its world when something is done there, and keeps it open.
      const body = { command: 'setblock 0 4 0 1' }
      const told = await one.call(`POST /servers/command/${one.serverId}`, { token: one.token, body })
      expect(told.status).toBe(202)
      let held: string[] = []
      await expect.poll(() => (held = heldIn(one.root))).toContainEqual(expect.stringMatching(/\.mca$/))
      const name = held.find((path) => path.endsWith('.mca')) ?? ''
      const before = await stat(path.join(one.root, name))
      const answer = await put(one, name, 'another')
      expect([answer.status, answer.body.running]).toEqual([200, true])
      expect(await one.onDisk(name)).toBe('another')
      // What the server has open is the old file, which it may go on writing to.
      expect((await stat(path.join(one.root, name))).ino).not.toBe(before.ino)
      expect(heldIn(one.root)).not.toContain(name)
    },
  )
})

/** Files below a folder that another process holds open now, by their paths in it. */
function heldIn(root: string): string[] {
  const links = (folder: string) => {
    try {
      return readdirSync(folder).map((name) => readlinkSync(path.join(folder, name)))
    } catch {
      // It ended meanwhile.
      return []
    }
  }
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => links(`/proc/${pid}/fd`))
    .filter((held) => held.startsWith(root + path.sep))
    .map((held) => path.relative(root, held))
}

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
