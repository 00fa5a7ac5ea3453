import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/transport.ts'
import { PanelProblem } from '../../base/problem.ts'
import { refusal, reply } from '../../api/test-listener.ts'
import { openCache, type Cache } from '../../views/cache/cache.ts'
import { noLog } from '../../logging/log.ts'
import { readPage, readText, TEXT_MOST_BYTES } from './contents.ts'
import { PreviousVersions } from './previous-versions.ts'
import { oddFiles, type OddFiles } from './odd-files.fixture.ts'
import { removeItems } from './remove.ts'
import { saveText } from './save.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const server = { connectionId: 'c', serverId: 's' }
let folder: string
let cache: Cache
let former: PreviousVersions
let ends: AsyncDisposable[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-'))
  cache = await openCache(join(folder, 'cache.db'))
  former = new PreviousVersions({
    folder: join(folder, 'former'),
    cache,
    log: noLog,
    now: Date.now,
    seen: () => 0,
  })
  ends = []
})
afterEach(async () => {
  for (const end of ends) await end[Symbol.asyncDispose]()
  await cache.close()
  await rm(folder, { recursive: true })
})

async function open(able: Partial<OddFiles> = {}) {
  const service = await oddFiles(able)
  ends.push(service)
  const client = new ApiClient({ baseUrl: service.listener.baseUrl, dispatcher, token: async () => 't' })
  client.trust()
  const at = (path: string) => ({ client, serverId: 's', path })
  const save = (path: string, text: string, base: Parameters<typeof saveText>[3]) =>
    saveText(at(path), server, text, base, former)
  const edit = async (path: string) => {
    const { etag } = await readText(at(path))
    return { kind: 'etag', etag: etag ?? '' } as const
  }
  return { ...service, client, at, save, edit }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof PanelProblem ? error.problem.code : String(error)),
  )
const formerTexts = async (path: string) => {
  const list = await former.list(server, path)
  return Promise.all(list.map(async ({ id, because }) => [because, await former.text(server, id)]))
}

describe('reading', () => {
  it('answers a text exactly, with what a save has to be based on', async () => {
    const { files, at, tagOf } = await open()
    const bytes = Buffer.from('\ufeffmotd=Grüße\r\n')
    files.set('server.properties', bytes)
    expect(await readText(at('server.properties'))).toEqual({
      path: 'server.properties',
      size: bytes.length,
      modifiedAt: null,
      etag: tagOf(bytes),
      content: { kind: 'text', text: '\ufeffmotd=Grüße\r\n' },
    })
  })

  it('answers of a binary and of a large file what it is', async () => {
    const { files, at } = await open()
    files.set('level.dat', Buffer.from([0x1f, 0x8b, 0]))
    files.set('just.log', Buffer.alloc(TEXT_MOST_BYTES, 'x'))
    files.set('over.log', Buffer.alloc(TEXT_MOST_BYTES + 1, 'x'))
    expect((await readText(at('level.dat'))).content).toEqual({ kind: 'binary' })
    expect((await readText(at('just.log'))).content.kind).toBe('text')
    expect(await readText(at('over.log'))).toMatchObject({
      size: TEXT_MOST_BYTES + 1,
      content: { kind: 'large' },
    })
  })

  it('finds a file large also where the service tells no length', async () => {
    const { answers, at } = await open()
    answers['GET /servers/files/content/s'] = (_request, response) => {
      response.writeHead(200)
      response.write(Buffer.alloc(TEXT_MOST_BYTES, 'x'))
      response.end('y')
    }
    expect((await readText(at('over.log'))).content).toEqual({ kind: 'large' })
  })

  it.each([[true], [false]])('pages through a file, with parts offered: %s', async (ranges) => {
    const { files, at } = await open({ ranges })
    files.set('a.bin', Buffer.from('0123456789'))
    files.set('empty', Buffer.alloc(0))
    const page = async (path: string, offset: number, length: number) => {
      const { bytes, ...rest } = await readPage(at(path), offset, length)
      return { ...rest, text: Buffer.from(bytes, 'base64').toString() }
    }
    expect(await page('a.bin', 0, 4)).toEqual({ offset: 0, size: 10, text: '0123' })
    expect(await page('a.bin', 8, 4)).toEqual({ offset: 8, size: 10, text: '89' })
    expect(await page('a.bin', 20, 4)).toEqual({ offset: 20, size: 10, text: '' })
    expect(await page('empty', 0, 4)).toEqual({ offset: 0, size: 0, text: '' })
  })
})

describe.each<[string, Partial<OddFiles>]>([
  ['a service that knows ETags', {}],
  ['a service without ETags', { etags: false }],
  ['a service without ETags or conditions', { etags: false, conditions: false }],
])('saving at %s', (_kind, able) => {
  it('writes what grew from the content that is there, and keeps that content', async () => {
    const { files, save, edit } = await open(able)
    files.set('a.txt', Buffer.from('one'))
    const saved = await save('a.txt', 'two\r\n', await edit('a.txt'))
    expect(saved.running).toBe(true)
    expect(files.get('a.txt')?.toString()).toBe('two\r\n')
    // What a save answers is what the next one is based on.
    await save('a.txt', 'three', { kind: 'etag', etag: saved.etag ?? '' })
    expect(await formerTexts('a.txt')).toEqual([
      ['saved', 'two\r\n'],
      ['saved', 'one'],
    ])
  })

  it('writes nothing over what was changed meanwhile, and keeps nothing', async () => {
    const { files, save, edit } = await open(able)
    files.set('a.txt', Buffer.from('one'))
    const base = await edit('a.txt')
    files.set('a.txt', Buffer.from('theirs'))
    expect(await codeOf(save('a.txt', 'mine', base))).toBe('changed')
    expect(files.get('a.txt')?.toString()).toBe('theirs')
    expect(await formerTexts('a.txt')).toEqual([])
  })

  it('does not make again what was deleted meanwhile', async () => {
    const { files, save, edit } = await open(able)
    files.set('a.txt', Buffer.from('one'))
    const base = await edit('a.txt')
    files.delete('a.txt')
    expect(await codeOf(save('a.txt', 'mine', base))).toBe('not-found')
    expect(files.has('a.txt')).toBe(false)
  })

  it('makes a file only where there is none', async () => {
    const { files, save } = await open(able)
    await save('new.txt', '', { kind: 'create' })
    expect(files.get('new.txt')?.length).toBe(0)
    expect(await codeOf(save('new.txt', 'x', { kind: 'create' }))).toBe('conflict')
    expect(files.get('new.txt')?.length).toBe(0)
  })

  it('overwrites whatever is there when it is told to, and keeps it', async () => {
    const { files, save } = await open(able)
    files.set('a.txt', Buffer.from('theirs'))
    await save('a.txt', 'mine', { kind: 'overwrite' })
    await save('b.txt', 'new', { kind: 'overwrite' })
    expect([files.get('a.txt')?.toString(), files.get('b.txt')?.toString()]).toEqual(['mine', 'new'])
    expect(await formerTexts('a.txt')).toEqual([['saved', 'theirs']])
  })
})

describe('saving', () => {
  it('finds out what happened between reading and writing', async () => {
    const { files, answers, save, edit } = await open()
    files.set('a.txt', Buffer.from('one'))
    const base = await edit('a.txt')
    const meanwhile = (happens: () => void) => {
      answers['PUT /servers/files/content/s'] = (_request, response) => {
        happens()
        reply(response, 412)
      }
    }
    meanwhile(() => files.set('a.txt', Buffer.from('theirs')))
    expect(await codeOf(save('a.txt', 'mine', base))).toBe('changed')
    files.set('a.txt', Buffer.from('one'))
    meanwhile(() => files.delete('a.txt'))
    expect(await codeOf(save('a.txt', 'mine', base))).toBe('not-found')
    meanwhile(() => files.set('b.txt', Buffer.from('theirs')))
    expect(await codeOf(save('b.txt', 'mine', { kind: 'create' }))).toBe('conflict')
    expect(await former.list(server)).toEqual([])
  })

  it('keeps what was there where nobody knows whether it was written', async () => {
    const { files, answers, save, edit } = await open()
    files.set('a.txt', Buffer.from('one'))
    const base = await edit('a.txt')
    answers['PUT /servers/files/content/s'] = (_request, response) => void response.destroy()
    expect(await codeOf(save('a.txt', 'mine', base))).toBe('offline')
    expect(await formerTexts('a.txt')).toEqual([['saved', 'one']])
  })

  it('sends no text that a file cannot hold, and none larger than it could open again', async () => {
    const { asked, save } = await open()
    expect(await codeOf(save('a.txt', 'half \ud83c', { kind: 'overwrite' }))).toBe('invalid')
    const long = 'é'.repeat(TEXT_MOST_BYTES / 2 + 1)
    expect(await codeOf(save('a.txt', long, { kind: 'overwrite' }))).toBe('too-large')
    expect(asked).toEqual([])
  })

  it('works where one may write and not read', async () => {
    const { files, answers, save } = await open()
    files.set('a.txt', Buffer.from('one'))
    answers['GET /servers/files/content/s'] = (_request, response) => reply(response, 403, refusal('no'))
    await save('a.txt', 'two', { kind: 'overwrite' })
    expect(files.get('a.txt')?.toString()).toBe('two')
    // Without a tag of the service nothing would guard what is there.
    expect(await codeOf(save('a.txt', 'three', { kind: 'etag', etag: 'content-sha256:0' }))).toBe('forbidden')
  })
})

describe('deleting', () => {
  it('keeps small texts first, and lets go of what was not deleted', async () => {
    const { files, answers, client } = await open()
    files.set('a.txt', Buffer.from('a'))
    files.set('level.dat', Buffer.from([0]))
    files.set('large.log', Buffer.alloc(TEXT_MOST_BYTES + 1, 'x'))
    const done = await removeItems(
      client,
      server,
      { paths: ['a.txt', 'level.dat', 'large.log', 'none'], permanent: false },
      former,
    )
    expect(done.results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'failed'])
    expect(done.trash.map(({ path }) => path)).toEqual(['a.txt', 'level.dat', 'large.log'])
    expect((await former.list(server)).map(({ path, because }) => [path, because])).toEqual([
      ['a.txt', 'deleted'],
    ])

    files.set('b.txt', Buffer.from('b'))
    answers['POST /servers/files/delete/s'] = (_request, response) => reply(response, 403, refusal('no'))
    expect(await codeOf(removeItems(client, server, { paths: ['b.txt'], permanent: false }, former))).toBe(
      'forbidden',
    )
    expect(await formerTexts('b.txt')).toEqual([])
    answers['POST /servers/files/delete/s'] = (_request, response) => void response.destroy()
    expect(await codeOf(removeItems(client, server, { paths: ['b.txt'], permanent: false }, former))).toBe(
      'offline',
    )
    expect(await formerTexts('b.txt')).toEqual([['deleted', 'b']])
  })

  it('reads no more than twenty of a thousand files before it deletes them', async () => {
    const { files, asked, client } = await open()
    const paths = Array.from({ length: 1000 }, (_, at) => `f${at}.txt`)
    for (const path of paths) files.set(path, Buffer.from(path))
    await removeItems(client, server, { paths, permanent: false }, former)
    expect(asked.filter((route) => route.startsWith('GET /servers/files/content'))).toHaveLength(20)
    expect(await former.list(server)).toHaveLength(20)
    expect(files.size).toBe(0)
  })
})

describe('nothing that is kept is given up before a write is proven', () => {
  it('a save whose answer names no file is read back', async () => {
    const { files, answers, save, edit } = await open()
    files.set('a.txt', Buffer.from('a'))
    answers['PUT /servers/files/content/s'] = (request, response) => {
      files.set('a.txt', Buffer.from(request.body))
      reply(response, 200, { message: 'fine' })
    }
    await save('a.txt', 'b', await edit('a.txt'))
    answers['PUT /servers/files/content/s'] = (_request, response) => reply(response, 204)
    const lost = save('a.txt', 'c', await edit('a.txt'))
    await expect(lost).rejects.toMatchObject({ problem: { code: 'unconfirmed', unsure: true } })
    // What was there stays kept too: perhaps it was written after all.
    expect((await former.list(server, 'a.txt')).length).toBe(2)
  })

  it('of a deletion only what the answer names counts, and what was kept of the rest stays', async () => {
    const { files, answers, client } = await open()
    for (const path of ['a.txt', 'b.txt', 'c.txt']) files.set(path, Buffer.from(path))
    const results = [
      { path: 'a.txt', outcome: 'done' },
      { path: 'b.txt', outcome: 'failed' },
      { path: 'elsewhere', outcome: 'done' },
    ]
    answers['POST /servers/files/delete/s'] = (_request, response) => reply(response, 200, { results })
    const paths = ['a.txt', 'b.txt', 'c.txt']
    const removed = await removeItems(client, server, { paths, permanent: false }, former)
    expect(removed.results.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['a.txt', 'done'],
      ['b.txt', 'failed'],
      ['c.txt', 'unconfirmed'],
    ])
    expect((await former.list(server)).map(({ path }) => path).sort()).toEqual(['a.txt', 'c.txt'])
    answers['POST /servers/files/delete/s'] = (_request, response) => reply(response, 204)
    const silent = await removeItems(client, server, { paths: ['b.txt'], permanent: false }, former)
    expect(silent.results).toMatchObject([{ path: 'b.txt', outcome: 'unconfirmed' }])
  })
})
