import { watch } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { localized } from '../../../../contract/messages/localized-text.ts'
import { problem } from '../../../base/problem.ts'
import { ExternalFiles, type ExternalFilesPorts } from './external-files.ts'
import { atServer, openAt, putAt, textAt, told } from './external-files.fixture.ts'
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

/** Files that were open when the panel ended, where no service is reached. */
async function leftOpen(ids: readonly string[], others: Partial<ExternalFilesPorts>) {
  const root = await mkdtemp(join(tmpdir(), 'external-editor-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const id of ids) {
    keepRecord(root, id, {
      ...{ ...ref, path: `${id}.txt`, name: 'a.txt', etag: '"1"', hash: hashOf(Buffer.from('old')) },
      ...{ readOnly: false, sentAt: null },
    })
    await putHere(join(root, id), 'a.txt', Buffer.from('old'), false)
  }
  const files = new ExternalFiles({
    ...{ root, system: null, tell: () => undefined, note: () => undefined, now: Date.now },
    client: () => {
      throw problem('offline', localized('local.not-running'))
    },
    former: {} as ExternalFilesPorts['former'],
    isGone: () => false,
    keepAside: async (file) => file,
    writing: (_server, work) => work(),
    toProblem: () => problem('offline', localized('local.not-running')).problem,
    log: { warn: () => undefined } as unknown as ExternalFilesPorts['log'],
    ...others,
  })
  onTestFinished(() => files.close())
  return { root, files }
}

async function oneLeftOpen(keepAside: ExternalFilesPorts['keepAside']) {
  const opened = await leftOpen([ID], { keepAside })
  return { ...opened, here: join(opened.root, ID, 'a.txt') }
}

it('keeps what an editor saves while editing ends', async () => {
  const kept: string[] = []
  const { root, files, here } = await oneLeftOpen(async (file) => {
    kept.push(await readFile(file, 'utf8'))
    if (kept.length === 1) await writeFile(here, 'second')
    return file
  })
  await writeFile(here, 'first')
  expect(await files.stop(ID)).not.toBeNull()
  expect(kept).toEqual(['first', 'second'])
  expect(await readdir(root)).toEqual([])
})

it('an ending that fails, or that was cut off, leaves what was saved where it was', async () => {
  const { root, files, here } = await oneLeftOpen(() => Promise.reject(new Error('The disk is full.')))
  await writeFile(here, 'mine')
  await takeOut(join(root, ID), 'a.txt')
  expect(await files.list()).toMatchObject([{ state: { kind: 'found' } }])
  expect(await readFile(here, 'utf8')).toBe('mine')
  await expect(files.stop(ID)).rejects.toThrow()
  expect(await readFile(here, 'utf8')).toBe('mine')
})

it.skipIf(process.platform === 'win32')('a file that cannot be read at the start says so', async () => {
  const { files, here } = await oneLeftOpen(() => Promise.reject(new Error('Nothing ends.')))
  await rm(here)
  await symlink('elsewhere', here)
  expect(await files.list()).toMatchObject([{ state: { kind: 'failed' } }])
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

it('what was saved a moment before the panel ends is sent', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { here } = await openAt(at, 'a.txt')
  const seen = Promise.withResolvers<void>()
  const watcher = watch(dirname(here), () => seen.resolve())
  await writeFile(here, 'mine')
  await seen.promise
  watcher.close()
  await at.again()
  expect(textAt(at, 'a.txt')).toBe('mine')
})

it('what was saved while the panel did not run is told of at its start', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { here } = await openAt(at, 'a.txt')
  const { call } = await at.again(() => writeFile(here, 'mine'))
  await call('external-editor.list', undefined)
  const notes = await call('app.notes', undefined)
  expect(notes.map(({ message }) => message)).toContainEqual(expect.stringContaining('You saved “a.txt”'))
})

/** So many files of a server that may be gone, kept from an earlier time. */
async function withFiles(length: number) {
  const ids = Array.from({ length }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
  const gone = { now: false }
  const kept: string[] = []
  const { files } = await leftOpen(ids, {
    isGone: () => gone.now,
    system: { open: async () => '', reveal: () => undefined },
    keepAside: async (file) => {
      kept.push(await readFile(file, 'utf8'))
      return file
    },
  })
  const another = () => files.open(ref, 'b.txt', false).catch((error: unknown) => told(error))
  return { files, ids, gone, kept, another }
}

it('files of a server that is gone take up no places, and are kept as a copy', async () => {
  const { files, ids, gone, kept, another } = await withFiles(20)
  expect(await another()).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('You edit 20 files'),
  })
  gone.now = true
  // There is a place; only the service is away.
  expect(await another()).toMatchObject({ code: 'offline' })
  expect((await files.list()).every(({ isGone }) => isGone)).toBe(true)
  expect(await files.stop(ids[0]!, true)).not.toBeNull()
  expect(kept).toEqual(['old'])
})

it('where too many of them were left, that is what the sentence says', async () => {
  const { gone, another } = await withFiles(100)
  gone.now = true
  expect(await another()).toMatchObject({
    code: 'conflict',
    message:
      '100 files were left from servers that are gone. Save a copy of some, or remove them, in App settings.',
  })
})
