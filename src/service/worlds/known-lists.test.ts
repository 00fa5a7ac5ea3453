import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestFiles } from '../files/files.fixture.ts'
import { KnownLists } from './known-lists.ts'

test('a damaged list is read once, and again when it has changed', async () => {
  const { files, root } = await openTestFiles()
  const ops = path.join(root, 'ops.json')
  const lists = new KnownLists()
  await writeFile(ops, '[{"name":')
  const damaged = await lists.read(files, 'ops')
  expect(damaged.kind).toBe('damaged')
  expect(await lists.read(files, 'ops')).toBe(damaged)
  await writeFile(ops, '[{"name":"Ann"}]')
  expect(await lists.read(files, 'ops')).toMatchObject({ kind: 'read', entries: [{ name: 'Ann' }] })
})
