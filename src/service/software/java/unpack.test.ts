import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { rawZip } from '../../../../tests/fixtures/raw-zip.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { javaItems, tarGz, zipped, type Item } from './java-archive.fixture.ts'
import { unpack } from './unpack.ts'
import type { UnpackLimits } from './unpacked.ts'

const never = new AbortController().signal

/** Unpacks into a folder beside which somebody else's files lie. */
async function unpacked(bytes: Buffer, format: 'tar.gz' | 'zip', limits: Partial<UnpackLimits> = {}) {
  const beside = await temporaryFolder()
  const [archive, folder] = [path.join(beside, 'archive'), path.join(beside, 'into')]
  mkdirSync(folder)
  mkdirSync(path.join(beside, 'outside'))
  writeFileSync(archive, bytes)
  const result = unpack(archive, format, folder, never, limits)
  await result.catch(() => undefined)
  expect(readdirSync(beside).sort()).toEqual(['archive', 'into', 'outside'])
  expect(readdirSync(path.join(beside, 'outside'))).toEqual([])
  return { result, at: (name: string) => path.join(folder, name) }
}

test.each(['tar.gz', 'zip'] as const)('a %s is unpacked with its programs executable', async (format) => {
  const items = javaItems('21.0.5', 'jdk')
  const { result, at } = await unpacked(await (format === 'zip' ? zipped : tarGz)(items), format)
  await result
  expect(readFileSync(at('jdk/bin/java'), 'utf8')).toContain('Java 21.0.5')
  expect(readFileSync(at('jdk/legal/java.base/LICENSE'), 'utf8')).toBe('a license')
  if (process.platform === 'win32') return
  expect(lstatSync(at('jdk/bin/java')).mode & 0o777).toBe(0o755)
  expect(lstatSync(at('jdk/release')).mode & 0o777).toBe(0o644)
})

test('links to what is within are kept, and hard links become files', async () => {
  const { result, at } = await unpacked(
    await tarGz([
      { name: 'jdk/legal/java.xml/LICENSE', type: 'symlink', linkname: '../java.base/LICENSE' },
      { name: './jdk/legal/java.base/LICENSE', text: 'a license' },
      { name: 'jdk/copy', type: 'link', linkname: 'jdk/legal/java.base/LICENSE' },
    ]),
    'tar.gz',
  )
  await result
  expect(readlinkSync(at('jdk/legal/java.xml/LICENSE'))).toBe('../java.base/LICENSE')
  expect(readFileSync(at('jdk/legal/java.xml/LICENSE'), 'utf8')).toBe('a license')
  expect(readFileSync(at('jdk/copy'), 'utf8')).toBe('a license')
})

test.each(['tar.gz', 'zip'] as const)(
  'a %s whose names begin with slashes is unpacked as by any other program',
  async (format) => {
    const names = ['/', '/jdk/', '//jdk/release', 'jdk//bin/./java']
    const bytes =
      format === 'zip'
        ? rawZip(names.map((name) => ({ name })))
        : await tarGz(names.map((name) => ({ name, type: name.endsWith('/') ? 'directory' : 'file' })))
    const { result, at } = await unpacked(bytes, format)
    await result
    expect(readdirSync(at('')).sort()).toEqual(['jdk'])
    expect(readdirSync(at('jdk')).sort()).toEqual(['bin', 'release'])
    expect(readdirSync(at('jdk/bin'))).toEqual(['java'])
  },
)

describe('refused is an archive with', () => {
  const OUTSIDE = 'in it leads out of its folder. Nothing was installed.'
  const link = (name: string, linkname: string): Item => ({ name, type: 'symlink', linkname })
  test.each<[string, Item[], string]>([
    ['a name that climbs', [{ name: '../outside/a', text: 'a' }], OUTSIDE],
    ['a name that climbs later', [{ name: 'jdk/../../outside/a', text: 'a' }], OUTSIDE],
    ['a name of a drive', [{ name: 'C:a', text: 'a' }], OUTSIDE],
    ['a backslash', [{ name: 'jdk\\..\\a', text: 'a' }], OUTSIDE],
    ['a link that climbs', [link('jdk/a', '../../outside')], OUTSIDE],
    ['a link from the root', [link('a', '/etc')], OUTSIDE],
    [
      'links that climb only together',
      [
        { name: 'jdk/deep/er/', type: 'directory' },
        { name: 'top/', type: 'directory' },
        link('jdk/deep/er/up', '../../../top'),
        link('a', 'jdk/deep/er/up/../../outside'),
      ],
      OUTSIDE,
    ],
    ['a link to nothing', [link('a', 'nothing')], 'a link in it leads nowhere'],
    ['a file behind a link', [link('a', 'jdk'), { name: 'a/b', text: 'b' }, { name: 'jdk/c' }], 'damaged'],
    ['a hard link that climbs', [{ name: 'a', type: 'link', linkname: '../archive' }], OUTSIDE],
    ['a device', [{ name: 'a', type: 'character-device' }], 'is neither a file nor a folder'],
    ['a name twice', [{ name: 'a' }, { name: 'a' }], 'it contains "a" twice'],
    ['a file as a folder', [{ name: 'a' }, { name: 'a/b' }], 'it contains "a" twice'],
    ['very deep folders', [{ name: 'a/'.repeat(40) + 'b' }], 'its folders are too deep'],
  ])('%s', async (_what, items, reason) => {
    const { result } = await unpacked(await tarGz(items), 'tar.gz')
    await expect(result).rejects.toThrow(reason)
  })

  test.each(['tar.gz', 'zip'] as const)('more files or bytes than are taken, as a %s', async (format) => {
    const archive = await (format === 'zip' ? zipped : tarGz)([
      { name: 'a', text: 'a'.repeat(100_000) },
      { name: 'b', text: 'b' },
    ])
    const many = await unpacked(archive, format, { mostEntries: 1 })
    await expect(many.result).rejects.toThrow('it contains more than 1 files')
    const large = await unpacked(archive, format, { mostBytes: 50_000 })
    await expect(large.result).rejects.toThrow('it is larger than 50000 bytes')
  })

  test('an end that is missing, or anything else in its place', async () => {
    const whole = await tarGz(javaItems('21'))
    for (const bytes of [whole.subarray(0, whole.length - 40), Buffer.from('no archive'), Buffer.alloc(0)]) {
      await expect((await unpacked(bytes, 'tar.gz')).result).rejects.toThrow('The archive is damaged.')
      await expect((await unpacked(bytes, 'zip')).result).rejects.toThrow('The archive is damaged.')
    }
  })
})
