import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { startFileService, type FileService } from './files.fixture.ts'
import { bytePath, bytesBelow, makeRawTree, ODD, RAW } from './odd-names.fixture.ts'

const query = (at: string) => encodeURIComponent(at)
const names = ({ body }: { body: { items: { name: string }[] } }) => body.items.map(({ name }) => name)

/** All that can be done with something that is there, under a name as contract paths have it. */
async function useIt({ ask }: FileService, name: string): Promise<void> {
  const done = async (route: string, body: object) => {
    const { results } = (await ask(`POST ${route}`, { body })).body
    expect(
      results.map(({ outcome, error }: { outcome: string; error?: unknown }) => error ?? outcome),
      route,
    ).toEqual(['done'])
  }
  expect((await ask(`GET content path=${query(name)}`)).status).toBe(200)
  await done('copy', { items: [{ from: name, to: 'a copy' }] })
  await done('move', { items: [{ from: name, to: 'renamed' }] })
  await done('move', { items: [{ from: 'a copy', to: 'renamed too' }] })
}

/** Deletes it, brings it back, and deletes it permanently. */
async function deleteIt({ ask }: FileService, name: string): Promise<void> {
  const remove = async () => (await ask('POST delete', { body: { paths: [name] } })).body.trash[0]
  const { id, path: was } = await remove()
  expect(was).toBe(name)
  const restored = (await ask('POST restore', { body: { ids: [id] } })).body.results
  expect(restored).toMatchObject([{ outcome: 'done', finalPath: name }])
  const again = await remove()
  expect((await ask('POST purge', { body: { ids: [again.id] } })).status).toBe(204)
  expect((await ask('GET trash')).body.items).toEqual([])
}

describe.skipIf(process.platform === 'win32')('names that mean something else to Windows', () => {
  test.each(ODD)('%j is listed, opened, copied, renamed, deleted, restored and purged', async (name) => {
    const one = await startFileService()
    writeFileSync(`${one.root}/${name}`, '{}')
    expect(names(await one.ask('GET -'))).toEqual([name])
    await deleteIt(one, name).then(() => writeFileSync(`${one.root}/${name}`, '{}'))
    await useIt(one, name)
    expect(readdirSync(one.root).sort()).toEqual(['renamed', 'renamed too'])
  })

  test('folders with such names are gone into, and a copy of one keeps them all', async () => {
    const one = await startFileService()
    mkdirSync(path.join(one.root, 'players'))
    for (const name of ODD) mkdirSync(`${one.root}/players/${name}`)
    for (const name of ODD) writeFileSync(`${one.root}/players/${name}/data.yml`, name)
    for (const name of ODD)
      expect(names(await one.ask(`GET - path=${query(`players/${name}`)}`)), name).toEqual(['data.yml'])
    await one.ask('POST copy', { body: { items: [{ from: 'players', to: 'copy' }] } })
    expect(bytesBelow(path.join(one.root, 'copy'))).toEqual(bytesBelow(path.join(one.root, 'players')))
    const put = await one.ask(`PUT content path=${query('players/back\\slash/new.yml')}`, { body: 'new' })
    expect(put.status).toBe(200)
  })

  test('a file for a player called Con is made here, moved and renamed', async () => {
    const one = await startFileService()
    const put = (name: string) => one.ask(`PUT content path=${query(name)}`, { body: 'x' })
    for (const name of ['players/con.yml', 'src/aux.c', 'nul', 'trail.', 'trail '])
      expect((await put(name)).status, name).toBe(200)
    for (const name of ['a\\b', 'a\nb', ' ', 'C:\\x', '\\x']) expect((await put(name)).status, name).toBe(422)
    const moved = await one.ask('POST move', { body: { items: [{ from: 'nul', to: 'players/aux.yml' }] } })
    expect(moved.body.results).toMatchObject([{ outcome: 'done' }])
    expect(names(await one.ask('GET - path=players'))).toEqual(['aux.yml', 'con.yml'])
  })
})

describe.runIf(process.platform === 'linux')('names that are not valid UTF-8', () => {
  test.each(Object.entries(RAW))(
    '%j is listed, opened, copied, renamed, deleted, restored and purged',
    async (bytes, name) => {
      const one = await startFileService()
      writeFileSync(bytePath(one.root, bytes), '{}')
      expect(names(await one.ask('GET -'))).toEqual([name])
      const found = await one.ask('GET search name=&text={}')
      expect(found.body.items).toMatchObject([{ path: name, line: 1 }])
      await deleteIt(one, name).then(() => writeFileSync(bytePath(one.root, bytes), '{}'))
      await useIt(one, name)
      expect(readdirSync(one.root).sort()).toEqual(['renamed', 'renamed too'])
    },
  )

  test('stay what they are, byte by byte, in a copy of their folder, in the trash and back, and with a number', async () => {
    const one = await startFileService()
    makeRawTree(one.root)
    const before = bytesBelow(one.root)
    expect(names(await one.ask('GET -'))).toEqual(['pl\uf7fcgins'])
    expect(names(await one.ask(`GET - path=${query('pl\uf7fcgins')}`))).toEqual([
      'li\uf78ek',
      'l\uf782o.txt',
      '\uf780\uf781',
    ])
    // Through the link.
    const read = await one.raw(`GET content path=${query('pl\uf7fcgins/li\uf78ek')}`)
    expect(await read.text()).toBe('x')

    const from = 'pl\uf7fcgins'
    await one.ask('POST copy', { body: { items: [{ from, to: from }], conflict: 'keep-both' } })
    const copy = Object.fromEntries(
      Object.entries(before).map(([at, is]) => [at.replace('gins', 'gins (2)'), is]),
    )
    expect(bytesBelow(one.root)).toEqual({ ...before, ...copy })
    const { trash } = (await one.ask('POST delete', { body: { paths: [from, `${from} (2)`] } })).body
    expect(bytesBelow(one.root)).toEqual({})
    await one.ask('POST restore', { body: { ids: [trash[0].id] } })
    expect(bytesBelow(one.root)).toEqual(before)
    expect((await one.ask('POST purge', { body: {} })).status).toBe(204)
  })

  test('count to the quota', async () => {
    const one = await startFileService({ fileLimits: { quotaBytes: 10_000 } })
    makeRawTree(one.root)
    writeFileSync(bytePath(one.root, 'pl\xfcgins/\x80\x81/large'), Buffer.alloc(9000))
    expect((await one.ask('GET limits')).body.usedBytes).toBe(9000 + 'x'.length + 'deeper'.length)
    expect((await one.ask('PUT content path=new', { body: 'x'.repeat(2000) })).status).toBe(507)
  })
})
