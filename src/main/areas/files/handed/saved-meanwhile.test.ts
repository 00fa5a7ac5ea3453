import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { say } from '../../../../contract/messages/say.ts'
import { problem } from '../../../api/problem.ts'
import { HandedFiles, type HandedFilesPorts } from './handed-files.ts'
import { atServer, openAt, putAt } from './handed.fixture.ts'
import { hashOf, putHere, takeOut } from './local-copy.ts'
import { keepRecord } from './record.ts'

it('opening a file again keeps what was saved while the server’s was downloaded', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { here } = await openAt(at, 'a.txt')
  putAt(at, 'a.txt', 'new')
  at.service.answers['GET /servers/files/content/s'] = (_request, response) => {
    delete at.service.answers['GET /servers/files/content/s']
    void writeFile(here, 'mine').then(() => response.writeHead(200, { 'content-length': 3 }).end('new'))
  }
  await openAt(at, 'a.txt')
  expect(await readFile(here, 'utf8')).toBe('mine')
})

const ID = '00000000-0000-4000-8000-000000000000'
const ref = { connectionId: 'c', serverId: 's' }

/** A file that was open when the panel ended, where no service is reached. */
async function leftOpen(keepAside: HandedFilesPorts['keepAside']) {
  const root = await mkdtemp(join(tmpdir(), 'handed-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  keepRecord(root, ID, {
    ...{ ...ref, path: 'a.txt', name: 'a.txt', etag: '"1"', hash: hashOf(Buffer.from('old')) },
    ...{ readOnly: false, sentAt: null },
  })
  await putHere(join(root, ID), 'a.txt', Buffer.from('old'), false)
  const handed = new HandedFiles({
    ...{ root, keepAside, system: null, tell: () => undefined, note: () => undefined, now: Date.now },
    client: () => {
      throw problem('offline', say('local.not-running'))
    },
    former: {} as HandedFilesPorts['former'],
    writing: (_server, work) => work(),
    toProblem: () => problem('offline', say('local.not-running')).problem,
    log: { warn: () => undefined } as unknown as HandedFilesPorts['log'],
  })
  onTestFinished(() => handed.close())
  return { root, handed, here: join(root, ID, 'a.txt') }
}

it('keeps what an editor saves while editing ends', async () => {
  const kept: string[] = []
  const { root, handed, here } = await leftOpen(async (file) => {
    kept.push(await readFile(file, 'utf8'))
    if (kept.length === 1) await writeFile(here, 'second')
    return file
  })
  await writeFile(here, 'first')
  expect(await handed.stop(ID)).not.toBeNull()
  expect(kept).toEqual(['first', 'second'])
  expect(await readdir(root)).toEqual([])
})

it('an ending that fails, or that was cut off, leaves what was saved where it was', async () => {
  const { root, handed, here } = await leftOpen(() => Promise.reject(new Error('The disk is full.')))
  await writeFile(here, 'mine')
  await takeOut(join(root, ID), 'a.txt')
  expect(await handed.list()).toMatchObject([{ state: { kind: 'found' } }])
  expect(await readFile(here, 'utf8')).toBe('mine')
  await expect(handed.stop(ID)).rejects.toThrow()
  expect(await readFile(here, 'utf8')).toBe('mine')
})

it.skipIf(process.platform === 'win32')('a file that cannot be read at the start says so', async () => {
  const { handed, here } = await leftOpen(() => Promise.reject(new Error('Nothing ends.')))
  await rm(here)
  await symlink('elsewhere', here)
  expect(await handed.list()).toMatchObject([{ state: { kind: 'failed' } }])
})

it('a download that ends after signing out leaves nothing here', async () => {
  const at = await atServer()
  const arrived = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  at.service.answers['GET /servers/files/content/s'] = (_request, response) => {
    response.writeHead(200, { 'content-length': 3 }).write('ol')
    arrived.resolve()
    void held.promise.then(() => response.end('d'))
  }
  const opening = openAt(at, 'a.txt').catch((error: unknown) => error)
  await arrived.promise
  await at.call('connections.sign-out', { connectionId: at.ref.connectionId })
  held.resolve()
  expect(await opening).toMatchObject({ problem: {} })
  expect(at.opened).toEqual([])
  expect(await readdir(join(at.folder, 'data', 'edited files')).catch(() => [])).toEqual([])
})
