import { FLOOD } from '../../../../tests/doubles/flood-script.ts'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileJob } from '../../../contract/bridge/values.ts'
import { gamePorts } from '../../../../tests/fixtures/game-ports.ts'
import { NO_TRASH } from '../../../contract/bridge/problem.ts'
import { reply } from '../../api/test-listener.ts'
import { oddFiles, type OddFiles } from './odd-files.fixture.ts'
import { createPanel, type Panel } from '../../panel/panel.ts'
import { openWindow, testPorts } from '../../panel/panel.fixture.ts'

// The real service as a child process; `flood` is its software for tests.
process.env['WHEELHOUSE_SCRIPT'] = FLOOD
process.env['WHEELHOUSE_FIRST_GAME_PORT'] = String(gamePorts())

let folder: string
let panel: Panel
let ends: AsyncDisposable[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'))
  panel = await createPanel(testPorts(folder))
  ends = []
})
afterEach(async () => {
  await panel.close()
  for (const end of ends) await end[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** A window on a server of the service built in. */
async function atHome() {
  const window = openWindow(panel)
  const { id: connectionId } = await window.call('connections.this-computer', undefined)
  const server = { name: 'Flood', software: { id: 'flood', version: '1' }, memoryMb: 256 }
  const { id: serverId } = (await window.send('servers.create', { connectionId, body: server }))!
  return withFolder({ ...window, ref: { connectionId, serverId } })
}

/** A window on a server of a service that is not ours. */
async function elsewhere(able: Partial<OddFiles> = {}) {
  const service = await oddFiles(able)
  ends.push(service)
  const window = openWindow(panel)
  const { baseUrl } = service.listener
  const { id: connectionId } = await window.call('connections.use-token', { baseUrl, token: 't' })
  return { ...withFolder({ ...window, ref: { connectionId, serverId: 's' } }), service }
}

type Window = ReturnType<typeof openWindow> & { ref: { connectionId: string; serverId: string } }

function withFolder(window: Window) {
  const { call, view, until, seen, ref } = window
  const at = { connectionId: ref.connectionId, params: { serverId: ref.serverId } }
  /** Does something, and answers the names a folder holds once it was read again because of it. */
  async function afterwards(
    path: string,
    work: () => Promise<unknown>,
    wanted: (names: string[]) => boolean,
  ) {
    await view('files.list', { ...at, query: { path } })
    const begin = seen.length
    await work()
    const event = await until(
      'view',
      (one) =>
        one.view === 'files.list' &&
        one.query['path'] === path &&
        !one.now.stale &&
        wanted(one.now.value?.items.map(({ name }) => name) ?? []),
      begin,
    )
    if (event.view !== 'files.list') throw new Error('it is a folder')
    return (event.now.value?.items ?? []).map(({ name }) => name)
  }
  const create = (path: string, text: string) =>
    call('files.write-text', { ...ref, path, text, base: { kind: 'create' } })
  return { ...window, at, afterwards, create }
}

describe('files of a server of this computer', () => {
  it('are made, read, saved, moved, copied, deleted and brought back, and the folder follows each', async () => {
    const { call, send, view, ref, at, afterwards, create } = await atHome()
    const search = (query: { path: string; name?: string; text?: string }) =>
      view('files.search', { ...at, query })
    const has = (name: string) => (names: string[]) => names.includes(name)
    await afterwards('', () => send('files.folder', { ...at, body: { path: 'config/世界' } }), has('config'))
    await afterwards('config/世界', () => create('config/世界/a b.yml', 'key: ü\r\n'), has('a b.yml'))

    const path = 'config/世界/a b.yml'
    const read = await call('files.read-text', { ...ref, path })
    expect(read).toMatchObject({ path, size: 9, content: { kind: 'text', text: 'key: ü\r\n' } })
    const base = { kind: 'etag', etag: read.etag ?? '' } as const
    const saved = await call('files.write-text', { ...ref, path, text: 'key: 2\n', base })
    expect(saved.running).toBe(false)
    expect((await call('files.read-text', { ...ref, path })).etag).toBe(saved.etag)
    const again = call('files.write-text', { ...ref, path, text: 'key: 3\n', base })
    await expect(again).rejects.toMatchObject({ problem: { code: 'changed' } })
    const [former] = await call('files.former', { ...ref, path })
    expect(former).toMatchObject({ path, because: 'saved', size: 9 })
    expect(await call('files.former-text', { ...ref, id: former?.id ?? '' })).toEqual({ text: 'key: ü\r\n' })
    const page = await call('files.read-page', { ...ref, path, offset: 5, length: 100 })
    expect(page).toEqual({ offset: 5, size: 7, bytes: Buffer.from('2\n').toString('base64') })

    const items = [{ from: path, to: 'config/b.yml' }]
    await afterwards('config', () => call('files.move', { ...ref, items, conflict: 'refuse' }), has('b.yml'))
    // What a file held before goes with it.
    expect(await call('files.former', { ...ref, path: 'config/b.yml' })).toHaveLength(1)
    const copies = [{ from: 'config', to: 'copy' }]
    await afterwards('', () => call('files.copy', { ...ref, items: copies, conflict: 'refuse' }), has('copy'))
    const taken = await call('files.copy', { ...ref, items: copies, conflict: 'refuse' })
    expect(taken.results).toMatchObject([
      { path: 'config', outcome: 'failed', error: { code: 'files.exists' } },
    ])

    const found = await search({ path: '', name: 'b.yml' })
    expect(found.value?.items.map((hit) => hit.path).sort()).toEqual(['config/b.yml', 'copy/b.yml'])
    const within = await search({ path: 'config', text: 'key: 2' })
    expect(within.value?.items).toMatchObject([{ path: 'config/b.yml', line: 1 }])

    const removed = await call('files.remove', { ...ref, paths: ['config/b.yml', 'copy'] })
    expect(removed.results.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
    expect((await call('files.former', { ...ref, path: 'config/b.yml' }))[0]).toMatchObject({
      because: 'deleted',
    })
    const { id } = removed.trash.find((entry) => entry.path === 'copy') ?? { id: '' }
    await afterwards('', () => call('files.restore', { ...ref, ids: [id], conflict: 'refuse' }), has('copy'))
    await send('files.purge', { ...at, body: {} })
  })

  it('tell of trash and limits as views, which a deletion makes old', async () => {
    const { call, view, until, seen, ref, at, create } = await atHome()
    await create('a.txt', 'a')
    await view('files.trash', at)
    await view('files.limits', at)
    await until('view', (event) => event.view === 'files.limits' && event.now.value !== null)
    await until('view', (event) => event.view === 'files.trash' && event.now.value?.items.length === 0)
    const begin = seen.length
    await call('files.remove', { ...ref, paths: ['a.txt'] })
    await until(
      'view',
      (event) => event.view === 'files.trash' && event.now.value?.items[0]?.path === 'a.txt',
      begin,
    )
    await until('view', (event) => event.view === 'files.limits' && !event.now.stale, begin)
  })

  it('are packed and unpacked by jobs that windows hear of, and the folder follows their end', async () => {
    const { call, view, send, until, ref, at, afterwards, create } = await atHome()
    await create('a.txt', 'packed')
    const ended = (job: FileJob) =>
      until('job', (event) => event.job.id === job.id && event.job.state === 'done')
    const pack = async () => {
      const input = { paths: ['a.txt'], to: 'a.zip', format: 'zip' as const, conflict: 'refuse' as const }
      expect(await ended((await call('files.archive', { ...ref, ...input }))!)).toMatchObject(ref)
    }
    await afterwards('', pack, (names) => names.includes('a.zip'))
    const job = (await call('files.extract', { ...ref, path: 'a.zip', to: 'out', conflict: 'refuse' }))!
    await ended(job)
    expect((await call('files.read-text', { ...ref, path: 'out/a.txt' })).content).toMatchObject({
      text: 'packed',
    })
    expect((await view('files.jobs', at)).value?.items.map(({ id }) => id)).toContain(job.id)
    await send('files.cancel', { ...at, body: { id: job.id } }).catch(() => {})
  })

  it('take their former contents and favorites with them when their server is deleted', async () => {
    const { call, ref, create } = await atHome()
    await create('a.txt', 'a')
    await call('files.write-text', { ...ref, path: 'a.txt', text: 'b', base: { kind: 'overwrite' } })
    expect(await call('files.set-favorites', { ...ref, paths: ['', 'logs', 'logs'] })).toEqual(['', 'logs'])
    expect(await readdir(join(folder, 'former contents'))).toHaveLength(1)
    await call('servers.remove', { ...ref, confirm: 'Flood' })
    expect(await readdir(join(folder, 'former contents'))).toEqual([])
    expect(await call('files.former', { ...ref, path: 'a.txt' })).toEqual([])
    expect(await call('files.favorites', ref)).toEqual([])
  })
})

describe('files of a service that is not ours', () => {
  it('are shown from the cache where the service has gone away, with why', async () => {
    const { view, until, seen, at, service } = await elsewhere()
    service.files.set('a.txt', Buffer.from('a'))
    await view('files.list', { ...at, query: { path: '' } })
    await until('view', (event) => event.view === 'files.list' && event.now.value?.items[0]?.name === 'a.txt')
    await service.listener.stop()
    await panel.close()
    panel = await createPanel(testPorts(folder))
    const later = openWindow(panel)
    const shown = await later.view('files.list', { ...at, query: { path: '' } })
    expect(shown).toMatchObject({ stale: true, value: { items: [{ name: 'a.txt' }], more: false } })
    await later.until('view', (event) => event.view === 'files.list' && event.now.problem !== null)
    expect(seen.length).toBeGreaterThan(0)
  })

  it('are deleted where there is no trash, which is shown as not offered', async () => {
    const { call, view, until, ref, at, service } = await elsewhere({ trash: false })
    service.files.set('a.txt', Buffer.from('a'))
    await expect(call('files.remove', { ...ref, paths: ['a.txt'] })).rejects.toMatchObject({
      problem: { code: 'changed', serviceCode: NO_TRASH },
    })
    expect(await call('files.remove', { ...ref, paths: ['a.txt'], permanent: true })).toMatchObject({
      results: [{ path: 'a.txt', outcome: 'done' }],
      trash: [],
    })
    await view('files.trash', at)
    await until('view', (event) => event.view === 'files.trash' && event.now.problem?.code === 'unavailable')
    const searched = await view('files.search', { ...at, query: { path: '', name: 'a' } })
    expect(searched).toMatchObject({ value: null, problem: { code: 'unavailable', detail: 'files.search' } })
    expect(Date.parse(searched.problem?.since ?? '')).toBeGreaterThan(0)
  })

  it('are asked for again by who says so, in every part that was not offered', async () => {
    const { view, until, at, service } = await elsewhere({ trash: false })
    const search = () => view('files.search', { ...at, query: { path: '', name: 'a' } })
    expect(await search()).toMatchObject({ problem: { code: 'unavailable' } })
    await view('files.trash', at)
    await until('view', (event) => event.view === 'files.trash' && event.now.problem?.code === 'unavailable')
    const items = { items: [], nextCursor: null }
    service.answers['GET /servers/files/search/s'] = (_request, response) => reply(response, 200, items)
    service.answers['GET /servers/files/trash/s'] = (_request, response) => reply(response, 200, items)
    expect(await search()).toMatchObject({ problem: { code: 'unavailable' } })
    expect(await view('files.trash', at, true)).toMatchObject({ problem: null, value: { items: [] } })
    expect((await search()).value?.items).toEqual([])
  })

  it('are read page by page where the service gives fewer entries than it is asked for', async () => {
    const { view, until, at, service } = await elsewhere()
    service.answers['GET /servers/files/s'] = (request, response) => {
      const page = Number(new URL(request.url, 'http://odd').searchParams.get('cursor') ?? 0)
      const items = [{ name: `f${page}`, kind: 'file' }, { kind: 'file' }]
      reply(response, 200, { items, nextCursor: page < 2 ? String(page + 1) : null })
    }
    await view('files.list', { ...at, query: { path: 'logs' } })
    const event = await until('view', (one) => one.view === 'files.list' && one.now.value !== null)
    expect(event.now.value).toMatchObject({
      items: [{ name: 'f0' }, { name: 'f1' }, { name: 'f2' }],
      leftOut: [{ index: 1 }, { index: 3 }, { index: 5 }],
      more: false,
    })
  })

  it('have jobs that are asked for where no stream tells of them', async () => {
    const { call, until, seen, ref, service, afterwards } = await elsewhere()
    const job = { id: 'j', kind: 'archive', state: 'running', path: 'a.zip' }
    service.answers['POST /servers/files/archive/s'] = (_request, response) => reply(response, 202, job)
    service.answers['GET /servers/files/jobs/s'] = (_request, response) => {
      service.files.set('a.zip', Buffer.from('PK'))
      reply(response, 200, { items: [{ ...job, state: 'done' }], nextCursor: null })
    }
    const input = { paths: ['a.txt'], to: 'a.zip', format: 'zip' as const, conflict: 'refuse' as const }
    const pack = async () => {
      const begin = seen.length
      expect(await call('files.archive', { ...ref, ...input })).toMatchObject({ state: 'running' })
      await until('job', (event) => event.job.state === 'done', begin)
    }
    expect(await afterwards('', pack, (names) => names.includes('a.zip'))).toEqual(['a.zip'])
  })

  it('leave nothing here after signing out', async () => {
    const { call, ref, service } = await elsewhere()
    service.files.set('a.txt', Buffer.from('secret words'))
    await call('files.write-text', { ...ref, path: 'a.txt', text: 'b', base: { kind: 'overwrite' } })
    await call('files.set-favorites', { ...ref, paths: ['logs'] })
    expect(await readdir(join(folder, 'former contents'))).toHaveLength(1)
    await call('connections.sign-out', { connectionId: ref.connectionId })
    expect(await readdir(join(folder, 'former contents'))).toEqual([])
    expect(await call('files.former', { ...ref, path: 'a.txt' })).toEqual([])
    expect(await call('files.favorites', ref)).toEqual([])
  })

  it('leave nothing of a text that was not saved here after signing out, whenever it comes', async () => {
    const { call, ref } = await elsewhere()
    const draft = { ...ref, path: 'a.txt', text: 'secret words', etag: null, at: 1 }
    await call('files.keep-draft', draft)
    expect(await call('files.draft', { ...ref, path: 'a.txt' })).toEqual({
      text: 'secret words',
      etag: null,
      at: 1,
    })
    await call('connections.sign-out', { connectionId: ref.connectionId })
    await expect(call('files.keep-draft', draft)).rejects.toMatchObject({ problem: { code: 'not-found' } })
    expect(await call('files.draft', { ...ref, path: 'a.txt' })).toBeNull()
  })

  it('are searched for something, not for nothing', async () => {
    const { view, at, service } = await elsewhere()
    const before = service.asked.length
    const searched = await view('files.search', { ...at, query: { path: '', name: '' } })
    expect(searched.problem).toMatchObject({ code: 'invalid' })
    expect(service.asked.slice(before).filter((route) => route.includes('search'))).toEqual([])
  })
})
