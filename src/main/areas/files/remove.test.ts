import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/transport.ts'
import { NO_TRASH } from '../../../contract/bridge/problem.ts'
import { PanelProblem } from '../../base/problem.ts'
import { refusal, reply } from '../../api/test-listener.ts'
import { openCache, type Cache } from '../../views/cache/cache.ts'
import { noLog } from '../../logging/log.ts'
import { PreviousVersions } from './previous-versions.ts'
import { oddFiles, type OddFiles } from './odd-files.fixture.ts'
import { removeItems } from './remove.ts'

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

/** A service with a binary file and a text. */
async function open(able: Partial<OddFiles> = { trash: false }) {
  const service = await oddFiles(able)
  ends.push(service)
  const client = new ApiClient({ baseUrl: service.listener.baseUrl, dispatcher, token: async () => 't' })
  client.trust()
  const former = new PreviousVersions({
    folder: join(folder, 'former'),
    ...{ cache, log: noLog, now: Date.now, seen: () => 0 },
  })
  service.files.set('level.dat', Buffer.alloc(10))
  service.files.set('a.txt', Buffer.from('a'))
  return {
    ...service,
    former,
    remove: async (paths: string[], permanent = false) =>
      (await removeItems(client, server, { paths, permanent }, former)).results.map(({ outcome }) => outcome),
    keptHere: () => readdir(join(folder, 'former')).catch(() => []),
  }
}

const noTrash = { problem: { code: 'changed', serviceCode: NO_TRASH } }

describe('a deletion', () => {
  it('goes into a trash without a question where the service has one', async () => {
    const { remove, files } = await open({ trash: true })
    expect(await remove(['level.dat'])).toEqual(['done'])
    expect([...files.keys()]).toEqual(['a.txt'])
  })

  it.each([{ enabled: false }, { maxBytes: 0 }, { maxBytes: 0, maxDays: 30 }, { maxDays: -1 }, {}])(
    'is not taken to go into a trash because limits name %j',
    async (trash) => {
      const { remove, answers, asked } = await open()
      answers['GET /servers/files/limits/s'] = (_request, response) => reply(response, 200, { trash })
      await expect(remove(['a.txt'])).rejects.toMatchObject(noTrash)
      expect(asked).toContain('GET /servers/files/trash/s')
    },
  )

  it('goes into a trash that has a bound, without a look into it', async () => {
    const { remove, answers, asked } = await open()
    answers['GET /servers/files/limits/s'] = (_request, response) =>
      reply(response, 200, { trash: { maxDays: 30 } })
    expect(await remove(['a.txt'])).toEqual(['done'])
    expect(asked).not.toContain('GET /servers/files/trash/s')
  })

  it('is left to the service where the account may not look into its trash', async () => {
    const { remove, answers } = await open()
    for (const part of ['limits', 'trash'])
      answers[`GET /servers/files/${part}/s`] = (_request, response) => reply(response, 403, refusal('no'))
    expect(await remove(['a.txt'])).toEqual(['done'])
  })

  it('does nothing where there is no trash until it may be permanent, and keeps small texts as ever', async () => {
    const { remove, files, asked, former, keptHere } = await open()
    await expect(remove(['level.dat', 'a.txt'])).rejects.toMatchObject(noTrash)
    await expect(remove(['level.dat'])).rejects.toMatchObject(noTrash)
    expect([files.size, await keptHere()]).toEqual([2, []])
    // What is not offered is asked for once.
    expect(asked.filter((route) => route.includes('trash'))).toHaveLength(1)
    expect(await remove(['level.dat', 'a.txt'], true)).toEqual(['done', 'done'])
    expect(files.size).toBe(0)
    expect((await former.list(server)).map(({ path }) => path)).toEqual(['a.txt'])
  })

  it('does nothing where the trash that it was to go into is gone by then', async () => {
    const { remove, answers, files, keptHere } = await open({ trash: true })
    expect(await remove(['level.dat'])).toEqual(['done'])
    answers['GET /servers/files/trash/s'] = (_request, response) =>
      reply(response, 404, refusal('route.none'))
    const limits = { trash: { maxDays: 0 } }
    answers['GET /servers/files/limits/s'] = (_request, response) => reply(response, 200, limits)
    // What was answered once and is missing now may be a hiccup of the service: that is no trash either.
    await expect(remove(['a.txt'])).rejects.toBeInstanceOf(PanelProblem)
    answers['GET /servers/files/trash/s'] = (_request, response) =>
      reply(response, 501, refusal('route.none'))
    await expect(remove(['a.txt'])).rejects.toMatchObject(noTrash)
    expect([files.has('a.txt'), await keptHere()]).toEqual([true, []])
  })
})
