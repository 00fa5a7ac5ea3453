import { readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { refusal } from '../../../host/refusal.ts'
import { deskOf, openTestFiles } from '../files.fixture.ts'
import type { ActionContext, Result } from '../item-actions.ts'
import type { ServerFilesOptions } from '../server-files.ts'
import { SmallFiles } from './small-files.ts'

async function openSmall(
  options: { conflict?: Conflict; desk?: Partial<ActionContext>; files?: Partial<ServerFilesOptions> } = {},
) {
  const { files, root } = await openTestFiles(options.files)
  const small = new SmallFiles({ ...deskOf(files), ...options.desk }, options.conflict ?? 'refuse')
  const results: Result[] = []
  return {
    small,
    root,
    results,
    said: () => results.map(({ path, outcome, error }) => [path, error?.code ?? outcome]),
    write: (path: string, content = path) =>
      small.write({
        ...{ path, chunks: [Buffer.from(content)], size: content.length, modifiedAt: 1e12 },
        ...{ check: () => {}, told: (result: Result) => void results.push(result) },
      }),
    staged: () => readdirSync(files.staging),
  }
}

test('files get their names together once they are on the disk, in folders that are made for them', async () => {
  const { small, root, results, write, staged } = await openSmall()
  const paths = Array.from({ length: 40 }, (_, at) => `world/region-${at % 3}/file ${at}`)
  for (const one of paths) await write(one)
  expect(await readdir(root)).toEqual([])
  expect([results, small.areMany, staged().length]).toEqual([[], true, 40])
  await small.place()
  expect(results).toEqual(paths.map((one) => ({ path: one, outcome: 'done', finalPath: one })))
  for (const one of paths) expect(await readFile(path.join(root, one), 'utf8')).toBe(one)
  expect((await stat(path.join(root, 'world/region-0/file 0'))).mtimeMs).toBe(1e12)
  expect([small.areNone, staged()]).toEqual([true, []])
})

test('what is in the way of one is told of that one alone, and stays', async () => {
  const { small, root, said, write, staged } = await openSmall()
  await mkdir(path.join(root, 'folder'))
  await writeFile(path.join(root, 'taken'), 'old')
  for (const one of ['first', 'taken', 'folder', 'taken/below', '../out', 'back\\slash', '', 'twice'])
    await write(one, 'new')
  await write('twice', 'second')
  await write('last')
  await small.place()
  expect(Object.fromEntries(said().slice(-7))).toMatchObject({
    ...{ taken: 'files.exists', folder: 'files.exists', 'taken/below': 'files.not-folder' },
    ...{
      '../out': 'files.outside',
      'back\\slash': 'files.name-invalid',
      '': 'files.is-folder',
      twice: 'files.exists',
    },
  })
  expect(said().slice(0, 3)).toEqual(['first', 'twice', 'last'].map((one) => [one, 'done']))
  expect((await readdir(root)).sort()).toEqual(['first', 'folder', 'last', 'taken', 'twice'])
  expect(await readFile(path.join(root, 'taken'), 'utf8')).toBe('old')
  expect(await readFile(path.join(root, 'twice'), 'utf8')).toBe('new')
  expect(staged()).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'links within the folder are followed, those out of it are not',
  async () => {
    const { small, root, said, write, staged } = await openSmall({ conflict: 'replace' })
    await mkdir(path.join(root, 'real'))
    await writeFile(path.join(root, 'real/old'), 'old')
    await symlink('real', path.join(root, 'way'))
    await symlink('real/old', path.join(root, 'link'))
    await symlink('/tmp', path.join(root, 'out'))
    for (const one of ['way/a', 'link', 'out/b']) await write(one, 'new')
    await small.place()
    expect(Object.fromEntries(said())).toEqual({ 'way/a': 'done', link: 'done', 'out/b': 'files.outside' })
    expect(await readFile(path.join(root, 'real/a'), 'utf8')).toBe('new')
    expect(await readFile(path.join(root, 'real/old'), 'utf8')).toBe('new')
    expect(staged()).toEqual([])
  },
)

test('who may no longer do this places none of them, and is told so of each', async () => {
  let may = true
  const checkAgain = () => {
    if (!may) throw refusal(401, 'auth.token-invalid')
  }
  const { small, root, said, write, staged } = await openSmall({ desk: { checkAgain } })
  for (const one of ['a', 'b']) await write(one)
  may = false
  await small.place()
  expect(said()).toEqual(['a', 'b'].map((one) => [one, 'auth.token-invalid']))
  expect([await readdir(root), staged()]).toEqual([[], []])
})

test('of those that do not all fit into the quota, as many are kept as fit', async () => {
  const { small, root, said, write, staged } = await openSmall({ files: { quotaBytes: 10 } })
  for (const one of ['a', 'b', 'c']) await write(one, 'four')
  await small.place()
  expect(said()).toEqual([
    ['a', 'done'],
    ['b', 'done'],
    ['c', 'files.quota'],
  ])
  expect([await readdir(root), staged()]).toEqual([['a', 'b'], []])
})

test('what is not what was sent is never written', async () => {
  const { small, results, staged } = await openSmall()
  await small.write({
    ...{ path: 'a', chunks: [Buffer.from('x')], size: 1, modifiedAt: null },
    check: () => {
      throw refusal(422, 'files.checksum.batch')
    },
    told: (result) => void results.push(result),
  })
  expect(results).toMatchObject([{ path: 'a', outcome: 'failed', error: { code: 'files.checksum' } }])
  expect([small.areNone, staged()]).toEqual([true, []])
})
