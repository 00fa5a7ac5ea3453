import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { giveAway, ordinaryUser, reachableFolder } from '../../ordinary-user.fixture.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { TreeCursor } from './descent.ts'
import { openRoot } from './opened-folder.ts'
import { walkTree } from './walk-tree.ts'

async function tree(root: string): Promise<string> {
  for (const folder of ['a/b/c', 'd']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of ['a/b/c/1', 'a/2', '3']) writeFileSync(path.join(root, file), 'x')
  return root
}

test('a walk comes into each folder and back, follows no link, and keeps out of what is taken away', async () => {
  const root = await tree(await temporaryFolder())
  if (process.platform !== 'win32') symlinkSync('..', path.join(root, 'd/up'))
  using top = openRoot(root)
  const steps: string[] = []
  for await (const { kind, folder, name } of walkTree(top)) steps.push(`${kind} ${name} at ${folder.path}`)
  const [a, d] = [
    ['in a at a', 'in b at a/b', 'in c at a/b/c', 'out c at a/b', 'out b at a', 'out a at '],
    ['in d at d', 'out d at '],
  ]
  // Disks list their folders in any order.
  expect([steps[0], steps.slice(1)]).toEqual(['in  at ', steps[1] === a[0] ? [...a, ...d] : [...d, ...a]])

  const seen: string[] = []
  for await (const step of walkTree(top)) {
    if (step.kind === 'out') continue
    seen.push(step.folder.path)
    if (step.name === 'a') step.entries.length = 0
  }
  expect(seen.sort()).toEqual(['', 'a', 'd'])
})

test('the way up leads back where the folder was moved meanwhile; where there is another one, that is told', async () => {
  const root = await tree(await temporaryFolder())
  using top = openRoot(root)
  using at = new TreeCursor(top)
  for (const name of ['a', 'b', 'c']) at.enter(name)
  renameSync(path.join(root, 'a/b/c'), path.join(root, 'd/c'))
  at.leave()
  expect(at.here.path).toBe('a/b')
  if (process.platform === 'win32') return
  mkdirSync(path.join(root, 'a/b/c'))
  at.enter('c')
  renameSync(path.join(root, 'a/b/c'), path.join(root, 'd/d'))
  renameSync(path.join(root, 'a/b'), path.join(root, 'd/b'))
  mkdirSync(path.join(root, 'a/b'))
  expect(() => at.leave()).toThrow('“a/b/c” was replaced')
})

test.skipIf(process.platform === 'win32')('a folder that may not be looked into hides no other', async () => {
  const root = await tree(await reachableFolder())
  for (const name of ['closed', 'no way through']) {
    mkdirSync(path.join(root, 'd', name, 'inner'), { recursive: true })
    writeFileSync(path.join(root, 'd', name, 'file'), 'x')
  }
  giveAway(root)
  chmodSync(path.join(root, 'd/closed'), 0)
  chmodSync(path.join(root, 'd/no way through'), 0o444)
  const module = JSON.stringify(path.join(import.meta.dirname, 'walk.ts'))
  const code = `import { bytesIn } from ${module}; console.log(await bytesIn(${JSON.stringify(root)}))`
  const args = ['--input-type=module', '-e', code]
  expect(spawnSync(process.execPath, args, { ...ordinaryUser, encoding: 'utf8' }).stdout).toBe('3\n')
  for (const name of ['closed', 'no way through']) chmodSync(path.join(root, 'd', name), 0o700)
})
