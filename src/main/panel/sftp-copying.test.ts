import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CuttableLine } from '../../../tests/fixtures/cuttable-line.ts'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { signedIn } from './sftp.fixture.ts'

const THEN = new Date('2026-01-02T03:04:05Z')

/** A server with a plugin's folder. */
async function withPlugin(through?: (port: number) => Promise<number>) {
  const { call, files, ref } = await signedIn(through && { through })
  const plugin = path.join(files, 'plugins/Shop')
  mkdirSync(path.join(plugin, 'empty'), { recursive: true })
  mkdirSync(path.join(plugin, 'lang'))
  writeFileSync(path.join(plugin, 'lang/en.yml'), 'hello: Hello\n')
  writeFileSync(path.join(plugin, 'data.db'), Buffer.alloc(300_000, 7))
  utimesSync(path.join(plugin, 'data.db'), THEN, THEN)
  const copy = async (
    from: string,
    to: string,
    conflict: 'refuse' | 'replace' | 'keep-both' | 'skip' = 'refuse',
  ) => (await call('files.copy', { ...ref, items: [{ from, to }], conflict })).results[0]
  return { at: (name: string) => path.join(files, name), copy }
}

test.skipIf(NO_SFTP)('a folder is copied with all in it, and a file over another', async () => {
  const { at, copy } = await withPlugin()
  expect(await copy('plugins/Shop', 'backup/Shop')).toMatchObject({ outcome: 'done' })
  expect(readdirSync(at('backup'))).toEqual(['Shop'])
  expect(readdirSync(at('backup/Shop')).toSorted()).toEqual(['data.db', 'empty', 'lang'])
  expect(readFileSync(at('backup/Shop/lang/en.yml'), 'utf8')).toBe('hello: Hello\n')
  expect(readFileSync(at('backup/Shop/data.db')).equals(Buffer.alloc(300_000, 7))).toBe(true)
  expect(statSync(at('backup/Shop/data.db')).mtime).toEqual(THEN)
  expect(await copy('plugins/Shop', 'backup/Shop')).toMatchObject({ error: { code: 'files.exists' } })
  expect(await copy('plugins/Shop', 'backup/Shop', 'replace')).toMatchObject({
    error: { code: 'files.exists' },
  })
  expect(await copy('plugins/Shop', 'backup/Shop', 'skip')).toMatchObject({ outcome: 'skipped' })
  const both = await copy('plugins/Shop', 'backup/Shop', 'keep-both')
  expect(readdirSync(at('backup')).map((name) => `backup/${name}`)).toContain(both?.finalPath)
  expect(await copy('plugins/Shop/data.db', 'backup/Shop/lang/en.yml', 'replace')).toMatchObject({
    outcome: 'done',
  })
  expect(statSync(at('backup/Shop/lang/en.yml')).size).toBe(300_000)
})

test.skipIf(NO_SFTP)('what cannot be copied whole leaves nothing behind, and says why', async () => {
  const { at, copy } = await withPlugin()
  expect(await copy('plugins', 'plugins/Shop/again')).toMatchObject({ error: { code: 'files.into-itself' } })
  mkdirSync(at('plugins/Map'))
  symlinkSync('../Shop', at('plugins/Map/linked'))
  expect(await copy('plugins/Map', 'Copy')).toMatchObject({
    error: { code: 'sftp.copy-file', message: expect.stringContaining('“linked” is neither') as string },
  })
  truncateSync(at('plugins/Shop/data.db'), 1100 * 1024 * 1024)
  expect(await copy('plugins/Shop', 'Copy')).toMatchObject({ error: { code: 'sftp.copy-size' } })
  expect(existsSync(at('Copy'))).toBe(false)
  expect(readdirSync(at('')).filter((name) => name.startsWith('.wheelhouse'))).toEqual([])
})

test.skipIf(NO_SFTP)('after a cut a copy goes on, and ends with what went away meanwhile', async () => {
  let line: CuttableLine | undefined
  const { at, copy } = await withPlugin(
    async (port) => (line = await CuttableLine.to('127.0.0.1', port)).port,
  )
  const bytes = randomBytes(8 * 1024 * 1024)
  writeFileSync(at('plugins/Shop/large.bin'), bytes)
  const going = copy('plugins/Shop', 'Copy')
  await line?.cutAfter(2 * 1024 * 1024)
  await line?.mend()
  expect(await going).toMatchObject({ outcome: 'done' })
  expect(readFileSync(at('Copy/large.bin')).equals(bytes)).toBe(true)
  const lost = copy('plugins/Shop', 'Other')
  await line?.cutAfter(2 * 1024 * 1024)
  rmSync(at('plugins/Shop/large.bin'))
  await line?.mend()
  expect(await lost).toMatchObject({
    error: { code: 'files.changed.copied', message: expect.stringContaining('large.bin') as string },
  })
  await expect.poll(() => readdirSync(at('')).toSorted()).toEqual(['Copy', 'logs', 'plugins'])
})
