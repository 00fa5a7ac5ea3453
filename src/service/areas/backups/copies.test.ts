import { link, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CopyStore } from '../../backups/copies/copy-store.ts'
import { CopyRecords } from '../../changes/copy-records.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { withPaper } from './backups.fixture.ts'

/** A Paper server whose software was changed, and the copy from before. */
async function withCopy() {
  const paper = await withPaper()
  const { change, list, reaches } = paper
  await change({ id: 'paper', version: '1.20.6' })
  await reaches('offline')
  const [copy] = await list()
  return { ...paper, copy, at: path.join(paper.copies, copy.id), server: paper.at }
}

it('a copy from before a change opens like a folder and leads nowhere else', async () => {
  const { ask, id, raw, at, copy, folder } = await withCopy()
  await writeFile(path.join(folder, 'secret'), 'a secret')
  await symlink(path.join(folder, 'secret'), path.join(at, 'link'))
  await symlink(folder, path.join(at, 'out'))
  await symlink('world', path.join(at, 'in'))
  await link(path.join(folder, 'secret'), path.join(at, 'hard'))
  await link(path.join(at, 'notes.txt'), path.join(at, 'world', 'notes-again.txt'))
  const of = (route: string, at = '') => `/servers/backups/${route}/${id}?backup=${copy.id}&path=${at}`
  const names = async (at = '') =>
    (await ask(`GET ${of('files', at)}`)).body.items.map(({ name }: { name: string }) => name)
  const all = ['notes.txt', 'ops.json', 'plugins', 'server.jar', 'server.properties', 'world']
  expect(await names()).toEqual(all)
  expect(await names('world')).toEqual(['level.dat', 'notes-again.txt', 'region'])
  const part = await raw(of('content', 'notes.txt'), { Range: 'bytes=1-2' })
  expect([part.status, await part.text()]).toEqual([206, 'in'])
  expect(await (await raw(of('content', 'plugins'))).text()).toContain('plugins/Shop/config.yml')
  for (const [route, place] of [
    ['files', 'out'],
    ['files', 'in'],
    ['files', 'notes.txt'],
    ['content', 'link'],
    ['content', 'hard'],
    ['content', 'out/secret'],
    ['content', 'in/level.dat'],
  ] as const)
    expect((await raw(of(route, place))).status, place).toBe(404)
  expect((await raw(of('content', '../secret'))).status).toBe(422)
  expect((await raw(of('files', '..'))).status).toBe(422)
})

it('a part of it is brought back, after a backup of what is there', async () => {
  const { all, bringBack, copy, list, put, reaches, settled, at } = await withCopy()
  await symlink('level.dat', path.join(at, 'world', 'link'))
  const before = await all()
  await put('world/region/r.0.0.mca', 'griefed')
  await put('notes.txt', 'newer')
  expect((await bringBack({ backup: copy.id, paths: ['world', 'world/region'] })).status).toBe(202)
  await settled()
  await reaches('offline')
  expect(await all()).toEqual({ ...before, 'notes.txt': Buffer.from('newer').toString('base64') })
  expect((await list()).map(({ change }: { change: string }) => change)).toEqual(['restore', 'software'])
  const { body } = await bringBack({ backup: copy.id, paths: ['world/link'] })
  expect(body.error.code).toBe('backups.not-in-it')
})

it('it is tried, and becomes a new server of the software of then', async () => {
  const { ask, id, copy, list, settled, folder, change, reaches } = await withCopy()
  const tried = async (start: boolean) => {
    expect((await ask(`POST /servers/backups/try/${id}`, { backup: copy.id, start })).status).toBe(202)
    await settled()
    return (await list()).find((one: { id: string }) => one.id === copy.id).tried
  }
  expect(await tried(false)).toMatchObject({ result: 'sound' })
  await change({ id: 'paper', version: '1.20.4' })
  await reaches('offline')
  expect(await tried(true)).toMatchObject({ result: 'started' })
  const body = { backup: copy.id, to: 'new-server', name: 'Again' }
  const made = (await ask(`POST /servers/backups/restore/${id}`, body)).body
  expect((await ask(`GET /servers/${made.serverId}`)).body.software).toMatchObject({ version: '1.20.4' })
  const there = await readdir(path.join(folder, 'servers', made.serverId))
  expect(there).toEqual(expect.arrayContaining(['world', 'plugins', 'server.jar']))
})

it('a locked one stays, whatever comes after it, and also when it is brought back', async () => {
  const { ask, id, all, bringBack, change, copy, list, reaches, settled, software, put } = await withCopy()
  const patch = (body: object) => ask(`PATCH /servers/backups/${id}/${copy.id}`, body)
  expect((await patch({ name: 'Good', locked: true })).body).toMatchObject({ name: 'Good', locked: true })
  expect((await software()).copy).toBeFalsy()
  for (const version of ['1.20.4', '1.20.6', '1.20.4', '1.20.6', '1.20.4']) {
    await change({ id: 'paper', version })
    await reaches('offline')
  }
  const before = await all()
  await put('notes.txt', 'newer')
  expect(await list()).toHaveLength(4)
  expect((await ask(`DELETE /servers/backups/${id}/${copy.id}`)).body.error.code).toBe('backups.locked')
  expect((await bringBack({ backup: copy.id })).status).toBe(202)
  await settled()
  await reaches('offline')
  expect(await all()).toEqual(before)
  expect(await list()).toContainEqual(expect.objectContaining({ id: copy.id, name: 'Good', locked: true }))
  await patch({ locked: false })
  expect((await ask(`DELETE /servers/backups/${id}/${copy.id}`)).status).toBe(204)
})

it('one that is pushed out while it is read is gone, not half there', async () => {
  const { copy, copies } = await withCopy()
  const to = path.join(await temporaryFolder(), 'to')
  await mkdir(to)
  const { signal } = new AbortController()
  const pushOut = () => void (new CopyRecords(copies).list = [])
  const extracted = new CopyStore(copies).extract(copy.id, null, to, { signal, progress: pushOut })
  await expect(extracted).rejects.toMatchObject({ code: 'backups.not-found' })
})
