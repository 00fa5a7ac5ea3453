import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { openBytes } from '../open.ts'
import type { NewItem } from '../store/rows.ts'
import { Announcement, pickedItems } from './picked.ts'
import { openRoom, temporary } from '../transfers.fixture.ts'

const to = { connectionId: 'here', serverId: 'one', folder: '' }

async function picked(name: string) {
  const bytes = openBytes()
  onTestFinished(() => bytes.close())
  const items: NewItem[] = []
  for await (const page of pickedItems({ to, files: [{ path: 'world', file: name }], folders: [] }, bytes))
    items.push(...page)
  return items
}

it('a file that is dated before 1970 keeps nothing of what was picked with it back', () => {
  const file = (modifiedAt: number) => ({ path: `${modifiedAt}.txt`, size: 1, modifiedAt })
  const announced = { to, files: [file(0), file(-86_400_000)], folders: [], page: 'page' }
  expect(Announcement.parse(announced).files).toEqual(announced.files)
})

it('a folder of more files than are held at once is there whole, each file once, and empty folders too', async () => {
  const folder = await temporary()
  await mkdir(join(folder, 'deep', 'empty'), { recursive: true })
  const names = Array.from({ length: 1101 }, (_, at) => `${at}.dat`)
  for (const name of names) await writeFile(join(folder, 'deep', name), name)
  const items = await picked(folder)
  const paths = [...names.map((name) => `world/deep/${name}`), 'world/deep/empty']
  expect(items.map(({ path }) => path).sort()).toEqual(paths.sort())
  expect(items.filter(({ kind }) => kind === 'folder').map(({ path }) => path)).toEqual(['world/deep/empty'])
  expect(items.find(({ path }) => path.endsWith('/1100.dat'))?.size).toBe(8)
})

it.each([
  [199_997, true],
  [199_998, false],
])('empty folders of a tree count too: beside %i others its three fit: %s', async (others, fits) => {
  const folder = await temporary()
  for (const name of ['a', 'b/c', 'b/d']) await mkdir(join(folder, name), { recursive: true })
  const bytes = openBytes()
  onTestFinished(() => bytes.close())
  const folders = Array.from({ length: others }, (_, at) => `${at}`)
  let count = 0
  const counting = async () => {
    const given = { to, files: [{ path: 'world', file: folder }], folders }
    for await (const page of pickedItems(given, bytes)) count += page.length
  }
  if (!fits) return expect(counting()).rejects.toMatchObject({ problem: { code: 'too-large' } })
  await counting()
  expect(count).toBe(200_000)
})

it('links that lead round in a circle come to an end, and what they lead to is there once', async () => {
  const folder = await temporary()
  await mkdir(join(folder, 'a'))
  await writeFile(join(folder, 'a', 'level.dat'), 'level')
  for (const name of ['one', 'two', 'three']) await symlink(folder, join(folder, 'a', name))
  expect((await picked(folder)).map(({ path }) => path)).toEqual(['world/a/level.dat'])
})

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that cannot be read is an item that fails, never an empty folder',
  async () => {
    const folder = await temporary()
    await mkdir(join(folder, 'closed'))
    await chmod(join(folder, 'closed'), 0)
    onTestFinished(() => chmod(join(folder, 'closed'), 0o700))
    expect(await picked(folder)).toMatchObject([{ path: 'world/closed', kind: 'file', state: 'waiting' }])
  },
)

it('two requests that bring the same file never write over each other', async () => {
  const { room } = await openRoom({ here: { baseUrl: 'http://127.0.0.1:1/api/v1', token: 't' } })
  room.spool.pageCame('page')
  const files = [{ path: 'a', size: 6, modifiedAt: 0 }]
  const { transferId, itemIds } = await room.spool.announce({ to, files, folders: [], page: 'page' })
  const slow = new Readable({ read() {} })
  slow.push('abc')
  const first = room.spool.receive(transferId, itemIds, slow)
  await expect.poll(() => slow.readableLength).toBe(0)
  const second = await room.spool.receive(transferId, itemIds, Readable.from([Buffer.from('xyz')]))
  expect(second).toMatchObject({ ok: false, problem: { code: 'conflict' } })
  slow.push('def')
  slow.push(null)
  expect(await first).toEqual({ ok: true, value: null })
})
