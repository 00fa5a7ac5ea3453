import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { MOST_DEPTH } from '../../contract/rules/paths.ts'
import { startFileService, stagingOf, type FileService } from './files.fixture.ts'
import { makeNest } from './safe-fs/deep-nest.fixture.ts'
import { RawTus } from './uploads/uploads.fixture.ts'

/** A path of so many names. */
const nested = (names: number, name = 'd') => Array.from({ length: names }, () => name).join('/')
const OVER = nested(MOST_DEPTH + 1)

const codesOf = ({ body }: { body: { results: { outcome: string; error?: { code: string } }[] } }) =>
  body.results.map(({ outcome, error }) => error?.code ?? outcome)

async function zipOf(name: string): Promise<Buffer> {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('x'), name)
  zip.end()
  return buffer(zip.outputStream)
}

async function tarOf(...names: string[]): Promise<Buffer> {
  const stream = pack()
  for (const name of names)
    stream.entry({ name, type: name.endsWith('/') ? 'directory' : 'file' }, name.endsWith('/') ? '' : 'x')
  stream.finalize()
  return buffer(stream)
}

/** Runs a job to its end; its error, or its state. */
async function job({ ask }: FileService, verb: 'archive' | 'extract', body: object): Promise<string> {
  const begun = await ask(`POST ${verb}`, { body })
  if (begun.status !== 202) return begun.body.error.code
  const ofIt = async () =>
    (await ask('GET jobs')).body.items.find(({ id }: { id: string }) => id === begun.body.id)
  await expect.poll(async () => (await ofIt()).state).not.toBe('running')
  const { state, error } = await ofIt()
  return error?.code ?? state
}

/** Everything that makes something, at a path. */
async function everyWay(one: FileService, to: string): Promise<Record<string, unknown>> {
  const { ask, root } = one
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(root, name), 'x')
  writeFileSync(path.join(root, 'some.zip'), await zipOf('x'))
  const form = new FormData()
  form.append('path', `${to}/form`)
  form.append('file', new Blob(['x']), 'x')
  const code = ({ status, body }: { status: number; body?: { error?: { code: string } } }) =>
    body?.error?.code ?? (status < 300 ? 'done' : status)
  const formed = await one.raw('POST upload', { method: 'POST', body: form })
  const tus = new RawTus(one.baseUrl, one.serverId, one.token)
  return {
    put: code(await ask(`PUT content path=${to}/put`, { body: 'x' })),
    folder: code(await ask('POST folder', { body: { path: `${to}/folder` } })),
    form: code({ status: formed.status, body: await formed.json() }),
    tus: code(await tus.create(1, { path: `${to}/tus` })),
    move: codesOf(await ask('POST move', { body: { items: [{ from: 'a', to: `${to}/a` }] } })),
    copy: codesOf(await ask('POST copy', { body: { items: [{ from: 'b', to: `${to}/b` }] } })),
    rename: codesOf(await ask('POST move', { body: { items: [{ from: 'c', to: `${to}/c` }] } })),
    batch: codesOf(
      await ask('POST batch', { body: (await tarOf(`${to}/file`, `${to}/folder/`)).toString('latin1') }),
    ),
    archive: await job(one, 'archive', { paths: ['some.zip'], to: `${to}/new.zip`, format: 'zip' }),
    extract: await job(one, 'extract', { path: 'some.zip', to }),
  }
}

const each = (code: string) => ({
  ...Object.fromEntries(['put', 'folder', 'form', 'tus', 'archive', 'extract'].map((way) => [way, code])),
  ...Object.fromEntries(['move', 'copy', 'rename'].map((way) => [way, [code]])),
  batch: [code, code],
})

describe('a path of what is made', () => {
  test('has up to 100 names: one more is refused everywhere, before anything is made', async () => {
    const one = await startFileService()
    expect(await everyWay(one, nested(MOST_DEPTH))).toEqual(each('files.too-deep'))
    expect(await everyWay(one, nested(1900))).toEqual(each('files.too-deep'))
    expect(readdirSync(one.root).sort()).toEqual(['a', 'b', 'c', 'some.zip'])
    expect(stagingOf(one)).toEqual([])
    const answer = await one.ask('POST folder', { body: { path: OVER } })
    expect([answer.status, answer.body.error.message]).toEqual([
      422,
      expect.stringContaining('up to 100 names'),
    ])
  })

  test('may have 100', async () => {
    const one = await startFileService()
    const ways = await everyWay(one, nested(MOST_DEPTH - 1))
    expect(ways).toEqual({ ...each('done'), tus: 'done' })
    expect(existsSync(path.join(one.root, nested(MOST_DEPTH - 1), 'put'))).toBe(true)
  })

  test.skipIf(process.platform === 'win32')('is no shorter by way of a link', async () => {
    const one = await startFileService()
    makeNest(one.root, MOST_DEPTH)
    symlinkSync(nested(MOST_DEPTH), path.join(one.root, 'short'))
    expect(await everyWay(one, 'short')).toEqual(each('files.too-deep'))
  })
})

describe('folders that are moved or copied', () => {
  const act = async ({ ask }: FileService, verb: string, from: string, to: string) => {
    const [code] = codesOf(await ask(`POST ${verb}`, { body: { items: [{ from, to }] } }))
    return code
  }

  test('go nowhere where what is in them would lie too deep', async () => {
    const one = await startFileService()
    for (const name of ['a', 'b']) {
      mkdirSync(path.join(one.root, name))
      makeNest(path.join(one.root, name), 59)
    }
    for (const verb of ['move', 'copy']) {
      expect(await act(one, verb, 'b', `a/${nested(59)}/b`), verb).toBe('files.too-deep')
      expect(await act(one, verb, 'b', `a/${nested(40)}/b`), verb).toBe('files.too-deep')
    }
    expect(existsSync(path.join(one.root, 'b', nested(59)))).toBe(true)
    expect(await act(one, 'copy', 'b', `a/${nested(39)}/b`)).toBe('done')
    expect(await act(one, 'move', 'b', `a/${nested(38)}/b`)).toBe('done')
  })

  test('go into themselves by no path, however deep, nor by a link', async () => {
    const one = await startFileService()
    mkdirSync(path.join(one.root, 'a/b/c'), { recursive: true })
    if (process.platform !== 'win32') symlinkSync('a/b', path.join(one.root, 'link'))
    const targets = ['a/x', 'a/b/c/x', 'a/x/y/z', ...(process.platform === 'win32' ? [] : ['link/x/y'])]
    for (const verb of ['move', 'copy'])
      for (const to of targets)
        expect(await act(one, verb, 'a', to), `${verb} ${to}`).toBe('files.into-itself')
    expect(await act(one, 'move', 'a', 'ab/x')).toBe('done')
  })
})

describe.runIf(process.platform === 'linux')('what lies deeper on the disk', () => {
  test('is listed, opened, renamed, moved up, deleted, restored and purged', async () => {
    const one = await startFileService()
    const { ask, root } = one
    makeNest(root, 300)
    writeFileSync(path.join(root, nested(300), 'file'), 'deep')
    const { items } = (await ask(`GET - path=${nested(300)}`)).body
    expect(items).toMatchObject([{ name: 'file', size: 4 }])
    expect(await (await one.raw(`GET content path=${nested(300)}/file`)).text()).toBe('deep')
    const { trash } = (await ask('POST delete', { body: { paths: [`${nested(300)}/file`] } })).body
    expect(codesOf(await ask('POST restore', { body: { ids: [trash[0].id] } }))).toEqual(['done'])
    const up = { from: `${nested(300)}/file`, to: 'file' }
    expect(codesOf(await ask('POST move', { body: { items: [up] } }))).toEqual(['done'])
    expect(await one.onDisk('file')).toBe('deep')
    const renamed = { items: [{ from: 'd', to: 'renamed' }] }
    expect(codesOf(await ask('POST move', { body: renamed }))).toEqual(['done'])
    const all = (await ask('POST delete', { body: { paths: ['renamed'] } })).body
    expect((await ask('POST purge', { body: { ids: [all.trash[0].id] } })).status).toBe(204)
    expect(readdirSync(root)).toEqual(['file'])
  })

  test('is measured, searched, and purged from the trash, where no path of the system leads to it', async () => {
    const one = await startFileService({ fileLimits: { quotaBytes: 10_000 } })
    const { ask, root } = one
    makeNest(root, 1000, 'long-name')
    makeNest(path.join(root, nested(100, 'long-name')), 1, 'found')
    writeFileSync(path.join(root, nested(100, 'long-name'), 'found', 'file'), 'x'.repeat(123))
    expect((await ask('GET limits')).body.usedBytes).toBe(123)
    expect((await ask('GET search name=found')).body.items).toMatchObject([{ kind: 'folder' }])
    expect(codesOf(await ask('POST copy', { body: { items: [{ from: 'long-name', to: 'copy' }] } }))).toEqual(
      ['files.too-deep'],
    )
    const { trash } = (await ask('POST delete', { body: { paths: ['long-name'] } })).body
    expect(trash).toMatchObject([{ size: 123 }])
    expect((await ask('POST purge', { body: {} })).status).toBe(204)
    expect((await ask('GET trash')).body.items).toEqual([])
    expect(readdirSync(path.join(one.service.dataDir, 'trash', one.serverId))).toEqual([])
    rmSync(root, { recursive: true })
  })
})
