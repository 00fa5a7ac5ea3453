import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NEW, openPaper } from '../changes/server-changes.fixture.ts'
import { content, startUploads } from './uploads/uploads.fixture.ts'

test('where somebody clears away what lies beside a server while the service runs, its files are changed as before', async () => {
  const it = await startUploads()
  const { tus } = it
  const { bytes, checksum } = content(1000)
  const ended = async (word: string, body: object) => {
    const begun = await it.ask(`POST ${word}`, { body })
    const job = async () =>
      (await it.ask('GET jobs')).body.items.find(({ id }: { id: string }) => id === begun.body.id)?.state
    await expect.poll(job).toBe('done')
    return begun
  }
  const acts: Record<string, () => Promise<{ status: number }>> = {
    write: () => it.ask('PUT content path=a.txt', { body: 'text' }),
    again: () => it.ask('PUT content path=a.txt', { body: 'other' }),
    begin: () => tus.create(1000, { path: 'b.bin' }),
    async upload() {
      const { headers } = await tus.create(1000, { path: 'b.bin' })
      return tus.patch(String(headers.location), 0, bytes, { 'Upload-Checksum': checksum })
    },
    form() {
      const body = new FormData()
      body.append('path', 'form.txt')
      body.append('file', new Blob(['a form']), 'x')
      return it.raw('POST upload', { body })
    },
    copy: () => it.ask('POST copy', { body: { items: [{ from: 'a.txt', to: 'c.txt' }] } }),
    move: () => it.ask('POST move', { body: { items: [{ from: 'c.txt', to: 'd.txt' }] } }),
    archive: () => ended('archive', { paths: ['a.txt'], to: 'a.zip', format: 'zip' }),
    extract: () => ended('extract', { path: 'a.zip', to: 'out' }),
    remove: () => it.ask('POST delete', { body: { paths: ['a.txt'] } }),
    trash: () => it.ask('GET trash'),
    limits: () => it.ask('GET limits'),
  }
  const answers: Record<string, number> = {}
  for (const [name, act] of Object.entries(acts)) {
    for (const kind of ['staging', 'trash'])
      await rm(path.join(it.service.dataDir, kind, it.serverId), { recursive: true, force: true })
    answers[name] = (await act()).status
  }
  expect(Object.entries(answers).filter(([, status]) => status >= 300)).toEqual([])
  expect((await readdir(it.root)).sort()).toEqual(['a.zip', 'b.bin', 'd.txt', 'form.txt', 'out'])
  expect(await it.onDisk('out/a.txt')).toBe('other')
})

test('the same of its software, its settings and its plugins; it is copied, reset and started', async () => {
  const { ask, id, folder, reaches, change, power, at } = await openPaper()
  const clear = async () => {
    for (const kind of ['staging', 'trash', 'copies'])
      await rm(path.join(folder, kind, id), { recursive: true, force: true })
  }
  const acts: Record<string, () => Promise<{ status: number }>> = {
    list: () => ask(`GET /servers/extensions/${id}`),
    disable: () => ask(`PATCH /servers/extensions/${id}/plugin-Shop`, { enabled: false }),
    pin: () => ask(`PATCH /servers/extensions/${id}/plugin-Shop`, { pinned: true }),
    remove: () => ask(`DELETE /servers/extensions/${id}/plugin-Shop`),
    plan: () => ask(`GET /servers/software/plan/${id}?id=paper&version=${NEW}`),
    settings: () => ask(`PATCH /servers/config/${id}`, { properties: [{ key: 'motd', value: 'x' }] }),
    duplicate: () => ask(`POST /servers/duplicate/${id}`, { name: 'Two' }),
    change: () => change({ id: 'paper', version: NEW }),
    start: () => power('start'),
    stop: () => power('stop'),
    reset: () => ask(`POST /servers/reset/${id}`, { keep: ['config'] }),
  }
  const answers: Record<string, number> = {}
  for (const [name, act] of Object.entries(acts)) {
    await clear()
    answers[name] = (await act()).status
    await reaches(name === 'start' ? 'online' : 'offline')
  }
  expect(Object.entries(answers).filter(([, status]) => status >= 300)).toEqual([])
  expect((await ask(`GET /servers/status/${id}`)).body).not.toHaveProperty('failure')
  expect((await ask(`GET /servers/software/${id}`)).body).toMatchObject({
    version: NEW,
    copy: { reason: 'reset' },
  })
  expect(await readFile(at('server.properties'), 'utf8')).toContain('motd=x')
  expect(await readdir(at())).not.toContain('notes.txt')
})
