import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { giveAway, isRoot, ordinaryUser, reachableFolder } from '../../ordinary-user.fixture.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { makeNest } from './deep-nest.fixture.ts'
import { removeTree } from './remove-tree.ts'

const isLinux = process.platform === 'linux'

test('a file, a link and a tree are gone afterwards, and not what links lead to', async () => {
  const folder = await temporaryFolder()
  const at = (...parts: string[]) => path.join(folder, ...parts)
  mkdirSync(at('tree/a/b'), { recursive: true })
  mkdirSync(at('kept'))
  for (const file of ['tree/a/b/file', 'tree/file', 'kept/file', 'file']) writeFileSync(at(file), 'x')
  symlinkSync(at('kept'), at('tree/a/link'))
  symlinkSync(at('kept'), at('link'))
  for (const name of ['tree', 'file', 'link', 'nothing']) await removeTree(at(name))
  expect(readdirSync(folder)).toEqual(['kept'])
  expect(readdirSync(at('kept'))).toEqual(['file'])
})

test.runIf(isLinux)(
  'a nest that is deeper than a path can be, and than files can be open, is removed',
  async () => {
    const folder = await temporaryFolder()
    mkdirSync(path.join(folder, 'nest'))
    makeNest(path.join(folder, 'nest'), 3100)
    writeFileSync(path.join(folder, 'nest', 'd', 'd', 'file'), 'x')
    await removeTree(path.join(folder, 'nest'))
    expect(readdirSync(folder)).toEqual([])
  },
)

test.runIf(isLinux)('names that are not valid UTF-8 are removed', async () => {
  const folder = await temporaryFolder()
  const odd = Buffer.concat([Buffer.from(path.join(folder, 'tree', 'l')), Buffer.from([0x82, 0x6f])])
  mkdirSync(path.join(folder, 'tree'))
  mkdirSync(odd)
  writeFileSync(Buffer.concat([odd, Buffer.from('/f'), Buffer.from([0xff])]), 'x')
  await removeTree(path.join(folder, 'tree'))
  expect(readdirSync(folder)).toEqual([])
})

/** Runs `removeTree` as a user without special rights; the code and the path of what it throws. */
function removeAsOrdinaryUser(at: string): string {
  const module = JSON.stringify(path.join(import.meta.dirname, 'remove-tree.ts'))
  const code = `import { removeTree } from ${module}
    await removeTree(${JSON.stringify(at)}).then(() => console.log('removed'), ({ code, path }) => console.log(code, path))`
  const args = ['--input-type=module', '-e', code]
  const { stdout, stderr } = spawnSync(process.execPath, args, { ...ordinaryUser, encoding: 'utf8' })
  return stdout.trim() || stderr
}

describe.skipIf(process.platform === 'win32')('rights', () => {
  test('folders of this user that are read-only, or that nobody may look into, are removed', async () => {
    const folder = await reachableFolder()
    const at = (...parts: string[]) => path.join(folder, 'tree', ...parts)
    mkdirSync(at('plugins/x/closed'), { recursive: true })
    writeFileSync(at('plugins/x/f'), 'x')
    giveAway(folder)
    const modes = { 'plugins/x/closed': 0, 'plugins/x': 0o555, plugins: 0o111, '': 0o500 }
    for (const [one, mode] of Object.entries(modes)) chmodSync(at(one), mode)
    expect(removeAsOrdinaryUser(at())).toBe('removed')
    expect(readdirSync(folder)).toEqual([])
  })

  test.runIf(isRoot)(
    'what belongs to another user stays, is named, and keeps nothing else from going',
    async () => {
      const folder = await reachableFolder()
      const at = (...parts: string[]) => path.join(folder, 'tree', ...parts)
      for (const one of ['world/empty', 'plugins']) mkdirSync(at(one), { recursive: true })
      for (const one of ['world/level.dat', 'plugins/a.jar']) writeFileSync(at(one), 'x')
      giveAway(folder)
      for (const one of ['world/region', 'plugins/empty', 'plugins/closed']) mkdirSync(at(one))
      chmodSync(at('plugins/closed'), 0o700)
      writeFileSync(at('world/region/r.0.0.mca'), 'x')
      expect(removeAsOrdinaryUser(at())).toBe('EACCES world/region/r.0.0.mca')
      expect(readdirSync(at(), { recursive: true }).sort()).toEqual([
        ...['world', 'world/region', 'world/region/r.0.0.mca'],
      ])
    },
  )
})
