import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { goFirst } from '../../base/priority.ts'
import { bytesIn } from './walk.ts'

test('the bytes of a folder are those of all files below it, without what links lead to', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'wheelhouse-tree-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const world = path.join(root, 'world')
  await mkdir(path.join(world, 'region/deep'), { recursive: true })
  await mkdir(path.join(root, 'elsewhere'))
  await writeFile(path.join(root, 'elsewhere/large'), 'x'.repeat(5000))
  await symlink(path.join(root, 'elsewhere'), path.join(world, 'folder link'))
  await symlink(path.join(root, 'elsewhere/large'), path.join(world, 'file link'))
  for (let at = 1; at <= 200; at++) await writeFile(path.join(world, 'region', `${at}`), 'x'.repeat(at))
  await writeFile(path.join(world, 'region/deep/one'), 'x'.repeat(7))
  // What goes first holds it up for a while, not for ever.
  goFirst()
  expect(await bytesIn(world)).toBe((200 * 201) / 2 + 7)
  expect(await bytesIn(path.join(root, 'gone'))).toBe(0)
})
