import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/dispatcher.ts'
import { MORE_LOST } from '../../../contract/bridge/problem.ts'
import { PanelProblem } from '../../base/problem.ts'
import { refusal, reply } from '../../api/test-listener.ts'
import { openCache, type Cache } from '../../views/cache/cache.ts'
import { noLog } from '../../logging/log.ts'
import { AgreedDeletions } from './agreed-deletions.ts'
import { bringBack } from './bring-back.ts'
import { planDeletion } from './deletion.ts'
import { PREVIOUS_VERSIONS_BOUNDS, PreviousVersions } from './previous-versions.ts'
import { oddFiles, type OddFiles } from './odd-files.fixture.ts'
import { deletionOf, removeItems } from './remove.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

const server = { connectionId: 'c', serverId: 's' }
let folder: string
let cache: Cache
let ends: AsyncDisposable[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'remove-'))
  cache = await openCache(join(folder, 'cache.db'))
  ends = []
})
afterEach(async () => {
  for (const end of ends) await end[Symbol.asyncDispose]()
  await cache.close()
  await rm(folder, { recursive: true })
})

/** A service with a world, a plugin and a text; `bytes` is what former contents may take in all. */
async function open({ able = { trash: false }, bytes = PREVIOUS_VERSIONS_BOUNDS.bytes }: FolderSetup = {}) {
  const service = await oddFiles(able)
  ends.push(service)
  const client = new ApiClient({ baseUrl: service.listener.baseUrl, dispatcher, token: async () => 't' })
  client.trust()
  const former = new PreviousVersions({
    folder: join(folder, 'former'),
    cache,
    log: noLog,
    now: Date.now,
    seen: () => 0,
    bounds: { ...PREVIOUS_VERSIONS_BOUNDS, bytes },
  })
  const { files } = service
  const agreed = new AgreedDeletions()
  const deleting = { former, agreed }
  let question: string | undefined
  const put = { 'world/level.dat': 100, 'world/region/r.0.0.mca': 4000, 'plugin.jar': 2000, 'a.txt': 10 }
  for (const [path, size] of Object.entries(put)) files.set(path, Buffer.alloc(size, path.length))
  files.set('world/datapacks/', Buffer.alloc(0))
  return {
    ...service,
    client,
    former,
    deleting,
    deletion: async (...paths: string[]) => {
      const meant = await deletionOf(client, server, paths, deleting)
      if (meant.trash) return meant
      const { id, ...others } = meant
      question = id
      return others
    },
    /** Agrees to what was asked last; where nothing was, to what is so now. */
    remove: async (...paths: string[]) => {
      const asked = question ?? agreed.ask((await planDeletion(client, 's', paths, former.room)).lost)
      return removeItems(client, server, { paths, keep: 'all', question: asked }, deleting)
    },
    keptHere: () => readdir(join(folder, 'former')).catch(() => []),
  }
}
interface FolderSetup {
  able?: Partial<OddFiles>
  bytes?: number
}

describe('a deletion', () => {
  it('is known to go into a trash where the service has one', async () => {
    const { deletion } = await open({ able: { trash: true } })
    expect(await deletion('world')).toEqual({ trash: true })
  })

  it.each([{ enabled: false }, { maxBytes: 0 }, { maxBytes: 0, maxDays: 30 }, { maxDays: -1 }, {}])(
    'is not taken to go into a trash because limits name %j',
    async (trash) => {
      const { deletion, answers, asked } = await open()
      answers['GET /servers/files/limits/s'] = (_request, response) => reply(response, 200, { trash })
      expect(await deletion('a.txt')).toEqual({ trash: false, kept: 1, lost: [], lostCount: 0 })
      expect(asked).toContain('GET /servers/files/trash/s')
    },
  )

  it('goes into a trash that has a bound, without a look into it', async () => {
    const { deletion, answers, asked } = await open()
    answers['GET /servers/files/limits/s'] = (_request, response) =>
      reply(response, 200, { trash: { maxDays: 30 } })
    expect(await deletion('a.txt')).toEqual({ trash: true })
    expect(asked).not.toContain('GET /servers/files/trash/s')
  })

  it('is left to the service where the account may not look into its trash', async () => {
    const { deletion, answers } = await open()
    for (const part of ['limits', 'trash'])
      answers[`GET /servers/files/${part}/s`] = (_request, response) => reply(response, 403, refusal('no'))
    expect(await deletion('world')).toEqual({ trash: true })
  })

  it('is known to be for good where there is none, with how much of it can be kept here', async () => {
    const { deletion, asked } = await open()
    expect(await deletion('world', 'plugin.jar')).toEqual({ trash: false, kept: 3, lost: [], lostCount: 0 })
    await deletion('a.txt')
    // What is not offered is asked for once.
    expect(asked.filter((route) => route.includes('trash'))).toHaveLength(1)
  })

  it('names what is too large to be kept', async () => {
    const { deletion } = await open({ bytes: 6000 })
    expect(await deletion('world', 'plugin.jar', 'a.txt')).toEqual({
      trash: false,
      kept: 3,
      lost: ['world/region/r.0.0.mca'],
      lostCount: 1,
    })
  })
})

describe('what the service lists in part', () => {
  const six = Array.from({ length: 6 }, (_, at) => `f${at}.txt`)
  /** Six files in `many`, two on a page; `beside` says how it goes on. */
  async function paged(beside: (next: number | null) => object) {
    const opened = await open()
    for (const name of six) opened.files.set(`many/${name}`, Buffer.from(name))
    opened.answers['GET /servers/files/s'] = (request, response) => {
      const asked = new URL(request.url, 'http://odd').searchParams
      const names = asked.get('path') === 'many' ? six : ['many', 'plugin.jar', 'a.txt']
      const kind = (name: string) => (name === 'many' ? 'folder' : 'file')
      const at = Number(asked.get('cursor') ?? 0)
      const items = names.slice(at, at + 2).map((name) => ({ name, kind: kind(name), size: 6 }))
      reply(response, 200, { items, ...beside(at + 2 < names.length ? at + 2 : null) })
    }
    return opened
  }

  it.each<[string, (next: number | null) => object]>([
    ['a number', (nextCursor) => ({ nextCursor })],
    ['a text', (next) => ({ nextCursor: next === null ? null : String(next) })],
  ])('is read to its end where its cursor is %s', async (_how, beside) => {
    const { deletion, remove, former } = await paged(beside)
    expect(await deletion('many', 'a.txt')).toEqual({ trash: false, kept: 7, lost: [], lostCount: 0 })
    await remove('many')
    expect((await former.list(server)).map(({ path }) => path).sort()).toEqual(
      six.map((name) => `many/${name}`),
    )
  })

  it.each<[string, (next: number | null) => object]>([
    ['in pages that nobody knows', (next) => ({ meta: { next } })],
    ['as a part of more', () => ({ total: 6 })],
    ['without an end', () => ({ nextCursor: 'again' })],
  ])('is named with the folder where it is listed %s, and what was listed is kept', async (_how, beside) => {
    const { deletion, remove, former } = await paged(beside)
    const question = { trash: false, kept: 2, lost: ['many'], lostCount: 1 }
    expect(await deletion('many')).toEqual(question)
    // What was chosen elsewhere and is not in what was listed is named too.
    expect(await deletion('many', 'a.txt')).toEqual({ ...question, lost: ['a.txt', 'many'], lostCount: 2 })
    await remove('many', 'a.txt')
    expect((await former.list(server)).map(({ path }) => path).sort()).toEqual(['many/f0.txt', 'many/f1.txt'])
  })

  it('is named where an entry of it cannot be read', async () => {
    const { deletion, answers } = await open()
    answers['GET /servers/files/s'] = (_request, response) =>
      reply(response, 200, { items: [{ name: 'a.txt', kind: 'file', size: 3 }, { kind: 'file' }] })
    expect(await deletion('a.txt', 'b.txt')).toEqual({ trash: false, kept: 1, lost: ['b.txt'], lostCount: 1 })
  })
})

describe('what is deleted where there is no trash', () => {
  it('is what the question named: of more that would be lost by then nothing is done', async () => {
    const { files, deletion, remove, asked } = await open({ bytes: 12_000 })
    expect(await deletion('world', 'a.txt')).toMatchObject({ kept: 3, lost: [] })
    // It was small when it was asked about.
    files.set('world/region/r.0.0.mca', Buffer.alloc(20_000))
    await expect(remove('world', 'a.txt')).rejects.toMatchObject({
      problem: { code: 'changed', serviceCode: 'panel.more-lost' },
    })
    expect(asked).not.toContain('POST /servers/files/delete/s')
    expect(await deletion('world', 'a.txt')).toMatchObject({ lost: ['world/region/r.0.0.mca'] })
    // What can be kept by then, or is gone by itself, is no reason to ask again.
    files.delete('world/region/r.0.0.mca')
    expect((await remove('world', 'a.txt')).results).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }])
  })

  it('is asked about where the trash that it was to go into is gone by then, and nothing is done', async () => {
    const able = { trash: true }
    const { deletion, answers, files, client, deleting, keptHere, remove } = await open({ able })
    expect(await deletion('a.txt')).toEqual({ trash: true })
    answers['GET /servers/files/trash/s'] = (_request, response) =>
      reply(response, 404, refusal('route.none'))
    const limits = { trash: { maxDays: 0 } }
    answers['GET /servers/files/limits/s'] = (_request, response) => reply(response, 200, limits)
    // What was answered once and is missing now may be a hiccup of the service: that is no trash either.
    const refused = removeItems(client, server, { paths: ['a.txt'], keep: 'texts' }, deleting)
    await expect(refused).rejects.toBeInstanceOf(PanelProblem)
    expect(files.has('a.txt')).toBe(true)
    expect(await keptHere()).toEqual([])

    answers['GET /servers/files/trash/s'] = (_request, response) =>
      reply(response, 501, refusal('route.none'))
    await expect(
      removeItems(client, server, { paths: ['a.txt'], keep: 'texts' }, deleting),
    ).rejects.toMatchObject({ problem: { code: 'changed', serviceCode: MORE_LOST } })
    expect(files.has('a.txt')).toBe(true)
    expect(await keptHere()).toEqual([])
    expect(await deletion('a.txt')).toMatchObject({ trash: false, kept: 1 })
    expect((await remove('a.txt')).results).toMatchObject([{ outcome: 'done' }])
  })

  it('is asked about again where the question is not known any more', async () => {
    const { client, former } = await open({ bytes: 1 })
    const agreed = new AgreedDeletions()
    const remove = removeItems(
      client,
      server,
      { paths: ['a.txt'], keep: 'all', question: 'x' },
      { former, agreed },
    )
    await expect(remove).rejects.toMatchObject({ problem: { code: 'changed' } })
  })

  it('comes back whole: folders, empty ones too, and files that are no texts', async () => {
    const { files, client, former, remove, keptHere } = await open()
    const before = new Map(files)
    const { results, trash, kept } = await remove('world', 'plugin.jar', 'a.txt')
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
    expect([trash, files.size, kept.ids.length]).toEqual([[], 0, 4])
    const back = await bringBack(client, server, kept, former)
    expect(back.filter(({ outcome }) => outcome !== 'done')).toEqual([])
    for (const [path, bytes] of before) expect(files.get(path)).toEqual(bytes)
    // It is former no longer.
    expect([await former.list(server), await keptHere()]).toEqual([[], []])
  })

  it('comes back as far as there was room for it', async () => {
    const { files, client, former, remove } = await open({ bytes: 6000 })
    const { kept } = await remove('world', 'plugin.jar')
    await bringBack(client, server, kept, former)
    expect([...files.keys()].filter((path) => !path.endsWith('/')).sort()).toEqual([
      'a.txt',
      'plugin.jar',
      'world/level.dat',
    ])
  })

  it('is not written over what has come into its place', async () => {
    const { files, client, former, remove } = await open()
    const { kept } = await remove('a.txt')
    files.set('a.txt', Buffer.from('new'))
    expect(await bringBack(client, server, kept, former)).toMatchObject([
      { path: 'a.txt', outcome: 'failed', error: { code: 'panel.taken-again' } },
    ])
    expect(files.get('a.txt')?.toString()).toBe('new')
    expect(await former.list(server)).toHaveLength(1)
  })

  it('stays where it is where it could not be kept here', async () => {
    const { files, remove } = await open()
    await writeFile(join(folder, 'former'), 'a file where the folder should be')
    const { results } = await remove('world', 'a.txt')
    expect(results).toMatchObject([
      { path: 'world', outcome: 'failed', error: { code: 'panel.not-kept' } },
      { path: 'a.txt', outcome: 'failed', error: { code: 'panel.not-kept' } },
    ])
    expect(files.size).toBe(5)
    await rm(join(folder, 'former'))
    await mkdir(join(folder, 'former'))
    expect((await remove('world', 'a.txt')).results).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }])
  })

  it('is not kept where the service did not delete it', async () => {
    const { answers, former, remove, keptHere } = await open()
    answers['POST /servers/files/delete/s'] = (_request, response) => reply(response, 403, refusal('no'))
    await expect(remove('world')).rejects.toMatchObject({ problem: { code: 'forbidden' } })
    expect([await former.list(server), await keptHere()]).toEqual([[], []])
  })
})
