import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { appendFile, mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { startFileService } from '../../files/files.fixture.ts'

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
