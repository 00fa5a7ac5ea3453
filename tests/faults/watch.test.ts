import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Chance } from './chance.ts'
import { makeTree, type Tree } from './tree.ts'
import { PARTS, Watch } from './watch.ts'

let folder = ''
let tree: Tree

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'wheelhouse-watch-'))
  tree = await makeTree(path.join(folder, 'from'), 12, new Chance(1, 'test'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const to = () => path.join(folder, 'to')

/** Brings the tree over as it should be. */
async function bring(): Promise<void> {
  for (const name of tree.folders) await mkdir(path.join(to(), name), { recursive: true })
  for (const [name, { modifiedAt }] of tree.files) {
    const target = path.join(to(), name)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(path.join(tree.root, name), target)
    await utimes(target, new Date(modifiedAt), new Date(modifiedAt))
  }
}

/** A file of the tree that has bytes. */
const [first, second] = ['tree/folder 1/file 1.dat', 'tree/folder 2/file 2.dat']

test('a tree that arrived as it was sent is whole', async () => {
  await bring()
  const findings = await new Watch(to(), tree).end()
  expect(findings).toEqual({ lost: [], doubled: [], half: [], times: [] })
})

test('a file that is not there, one with another byte, and an empty folder that is missing are lost', async () => {
  await bring()
  await rm(path.join(to(), first))
  const { size } = tree.files.get(second) ?? { size: 0 }
  await writeFile(path.join(to(), second), Buffer.alloc(size))
  await rm(path.join(to(), 'tree/empty'), { recursive: true })
  const { lost } = await new Watch(to(), tree).end()
  expect(lost.sort()).toEqual(['tree/empty/', first, second])
})

test('a file besides those that were sent is doubled', async () => {
  await bring()
  const twice = 'tree/folder 1/file 1 (2).dat'
  await copyFile(path.join(to(), first), path.join(to(), twice))
  expect((await new Watch(to(), tree).end()).doubled).toEqual([twice])
})

test('a folder besides those that were sent is doubled, though it holds nothing', async () => {
  await bring()
  await mkdir(path.join(to(), 'tree (2)'))
  expect((await new Watch(to(), tree).end()).doubled).toEqual(['tree (2)/'])
})

test('a part is as it should be while files come, and doubled when it is left at the end', async () => {
  await bring()
  const part = 'tree/.file 1.dat.7.part'
  await writeFile(path.join(to(), part), 'beginning')
  const [left, taken] = [PARTS, PARTS].map((ignore) => new Watch(to(), { ...tree, ignore }))
  for (const watch of [left, taken]) await expect.poll(() => watch?.looks).toBeGreaterThan(1)
  expect((await left?.end())?.doubled).toEqual([part])
  await rm(path.join(to(), part))
  expect((await taken?.end())?.doubled).toEqual([])
})

test('a file that was seen before it was whole is told though it is whole at the end', async () => {
  await bring()
  await writeFile(path.join(to(), first), 'beginning')
  const watch = new Watch(to(), tree)
  await expect.poll(() => watch.looks).toBeGreaterThan(1)
  await copyFile(path.join(tree.root, first), path.join(to(), first))
  const { half, lost } = await watch.end()
  expect(half).toEqual([first])
  expect(lost).toEqual([])
})

test('another time than that of what was sent is told', async () => {
  await bring()
  await utimes(path.join(to(), first), new Date(), new Date())
  expect((await new Watch(to(), tree).end()).times).toEqual([first])
})

test('the same seed makes the same tree, another seed another one', async () => {
  const again = await makeTree(path.join(folder, 'again'), 12, new Chance(1, 'test'))
  const other = await makeTree(path.join(folder, 'other'), 12, new Chance(2, 'test'))
  expect(again.files).toEqual(tree.files)
  expect(other.files).not.toEqual(tree.files)
})
