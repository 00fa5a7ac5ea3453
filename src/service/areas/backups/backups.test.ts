import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { NO_RESTIC, restic } from '../../backups/restic/restic.fixture.ts'
import { withPaper } from './backups.fixture.ts'

const STEVE = '8667ba71-b85a-4004-af54-457a9734eed7'

it('a running server pauses its saving for a backup, and goes on saving after it', async () => {
  const { ask, id, backUp, power, reaches, said } = await withPaper()
  await power('start')
  await reaches('online')
  const made = await backUp('before the party')
  expect(made).toMatchObject({
    ...{ name: 'before the party', cause: 'manual', state: 'done', unpaused: false },
    software: { id: 'paper', name: 'Paper', version: '1.20.4' },
  })
  expect(made.bytes).toBeGreaterThan(made.addedBytes / 2)
  const lines = async () => (await said()).join('\n')
  await expect.poll(lines).toMatch(/disabled[^]*Saved the game[^]*now enabled/)
  expect(await lines()).toContain('Backup made: ')
  // Not shown as anybody's command.
  const items = (await ask(`GET /servers/console/${id}`)).body.items
  expect(items.filter(({ source }: { source?: string }) => source === 'command')).toEqual([])
})

it('brings back everything with the software of then; what was there becomes the newest copy', async () => {
  const { all, backUp, bringBack, change, reaches, put, list, software, settled, said } = await withPaper()
  const before = await all()
  const made = await backUp()
  await change({ id: 'paper', version: '1.20.6' })
  await reaches('offline')
  await put('world/region/r.0.0.mca', 'griefed')
  await put('world/region/r.9.9.mca', 'new')
  expect((await bringBack({ backup: made.id })).status).toBe(202)
  await settled()
  await reaches('offline')
  expect(await all()).toEqual(before)
  expect(await software()).toMatchObject({ version: '1.20.4', build: '1' })
  expect((await said()).at(-1)).toBe('The backup is brought back. The software is Paper 1.20.4.')
  const [newest, second] = await list()
  expect(newest).toMatchObject({ cause: 'before-change', change: 'restore', software: { version: '1.20.6' } })
  expect(second).toMatchObject({
    cause: 'before-change',
    change: 'software',
    software: { version: '1.20.4' },
  })
  // And back again, which is a step of its own.
  expect((await bringBack({ backup: newest.id })).status).toBe(202)
  expect((await all())['world/region/r.9.9.mca']).toBe(Buffer.from('new').toString('base64'))
  expect(await software()).toMatchObject({ version: '1.20.6' })
})

it('brings back a folder or a player and leaves all else, after a backup of what is there', async () => {
  const { all, at, backUp, bringBack, put, list, settled, reaches } = await withPaper()
  const files = ['playerdata', 'stats', 'advancements'].map(
    (name) => `world/${name}/${STEVE}.${name === 'playerdata' ? 'dat' : 'json'}`,
  )
  for (const name of files) await put(name, 'rich')
  const before = await all()
  const made = await backUp()
  await put('world/region/r.0.0.mca', 'griefed')
  await put('world/region/r.1.1.mca', 'griefed too')
  await put('plugins/Shop/config.yml', 'price: 5')
  for (const name of files) await put(name, 'poor')
  await rm(at(files[1]!))
  const poor = await all()
  expect(
    (await bringBack({ backup: made.id, players: [STEVE.replaceAll('-', '').toUpperCase()] })).status,
  ).toBe(202)
  await settled()
  await reaches('offline')
  const players = Object.fromEntries(files.map((name) => [name, before[name]!]))
  expect(await all()).toEqual({ ...poor, ...players })
  expect(
    (await bringBack({ backup: made.id, paths: ['world/region', 'world/region/r.0.0.mca'] })).status,
  ).toBe(202)
  await settled()
  await reaches('offline')
  const { 'world/region/r.1.1.mca': _new, ...rest } = { ...poor, ...players }
  expect(await all()).toEqual({ ...rest, 'world/region/r.0.0.mca': before['world/region/r.0.0.mca'] })
  expect((await list()).map(({ cause, change }: Record<string, string>) => [cause, change])).toEqual([
    ...[
      ['before-change', 'restore'],
      ['before-change', 'restore'],
      ['manual', null],
    ],
  ])
  expect((await list()).every(({ unpaused }: { unpaused?: boolean }) => unpaused !== true)).toBe(true)
  for (const [wish, code] of [
    [{ paths: ['nowhere'] }, 'backups.not-in-it'],
    [{ players: ['00000000-0000-0000-0000-000000000000'] }, 'backups.no-player'],
    [{ players: [STEVE], paths: ['world'] }, 'backups.one-wish'],
  ] as const)
    expect((await bringBack({ backup: made.id, ...wish })).body.error.code).toBe(code)
})

it('makes a new server from a backup, without the secrets of the old one', async () => {
  const { ask, backUp, bringBack, put, folder } = await withPaper()
  await put('server.properties', 'motd=mine\nrcon.password=hunter2\n')
  await put('forwarding.secret', 'a secret')
  const made = await backUp()
  const { status, body } = await bringBack({ backup: made.id, to: 'new-server', name: 'Again' })
  expect(status).toBe(202)
  const there = path.join(folder, 'servers', body.serverId)
  expect(await readFile(path.join(there, 'world/region/r.0.0.mca'), 'utf8')).toBe('chunks')
  expect(await readFile(path.join(there, 'server.properties'), 'utf8')).toContain('rcon.password=\n')
  expect(existsSync(path.join(there, 'forwarding.secret'))).toBe(false)
  expect((await ask(`GET /servers/${body.serverId}`)).body).toMatchObject({
    name: 'Again',
    status: 'offline',
  })
  expect((await ask(`GET /servers/software/${body.serverId}`)).body).toMatchObject({ build: '1' })
})

it('is tried: its bytes, and whether a server starts from it; nothing of that stays', async () => {
  const { ask, id, folder, backUp, list, settled, archives } = await withPaper()
  const made = await backUp()
  const tried = async (start: boolean) => {
    expect((await ask(`POST /servers/backups/try/${id}`, { backup: made.id, start })).status).toBe(202)
    await settled()
    return (await list())[0].tried
  }
  expect(await tried(false)).toMatchObject({ result: 'sound' })
  const started = await tried(true)
  expect(started).toMatchObject({ result: 'started' })
  expect(started.seconds).toBeGreaterThan(0)
  expect(await readdir(path.join(folder, 'staging', id))).toEqual([])
  expect((await ask('GET /servers')).body.items).toHaveLength(1)
  expect((await ask(`GET /servers/status/${id}`)).body.status).toBe('offline')
  const file = path.join(archives, `${made.id}.tar.zst`)
  const bytes = await readFile(file)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  await writeFile(file, bytes)
  const damaged = await tried(true)
  expect(damaged).toMatchObject({ result: 'damaged', error: { code: 'backups.damaged' } })
})

it('says why no server starts from a backup', async () => {
  const { ask, id, put, backUp, list, settled } = await withPaper()
  await put('eula.txt', 'eula=false\n')
  const made = await backUp()
  await ask(`POST /servers/backups/try/${id}`, { backup: made.id, start: true })
  await settled()
  expect((await list())[0].tried).toMatchObject({
    result: 'not-started',
    error: { sentence: 'backups.ended' },
  })
})

it('opens like a folder: lists, files with ranges, and a folder as a zip', async () => {
  const { ask, id, backUp, put } = await withPaper()
  await put('world/region/r.1.0.mca', 'x'.repeat(100_000))
  const made = await backUp()
  const query = `backup=${made.id}`
  const names = (await ask(`GET /servers/backups/files/${id}?${query}&path=world`)).body.items
  expect(names.map(({ name, kind }: Record<string, string>) => `${kind} ${name}`)).toEqual([
    'file level.dat',
    'folder region',
  ])
  const first = (await ask(`GET /servers/backups/files/${id}?${query}&path=world&limit=1`)).body
  expect(first.items).toHaveLength(1)
  const second = (
    await ask(`GET /servers/backups/files/${id}?${query}&path=world&limit=1&cursor=${first.nextCursor}`)
  ).body
  expect(second).toMatchObject({ items: [{ name: 'region' }], nextCursor: null })
  expect((await ask(`GET /servers/backups/files/${id}?${query}&path=nowhere`)).status).toBe(404)
  expect((await ask(`GET /servers/backups/files/${id}?backup=nothing`)).body.error.code).toBe(
    'backups.not-found',
  )
})

it('is named, locked and deleted; a locked one stays', async () => {
  const { ask, id, backUp, list, archives } = await withPaper()
  const made = await backUp()
  const patch = (body: object) => ask(`PATCH /servers/backups/${id}/${made.id}`, body)
  expect((await patch({ name: 'The first', locked: true })).body).toMatchObject({
    name: 'The first',
    locked: true,
  })
  expect((await ask(`DELETE /servers/backups/${id}/${made.id}`)).body.error.code).toBe('backups.locked')
  await ask(`PATCH /servers/backups/settings/${id}`, {
    keep: { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0 },
  })
  await backUp()
  const newest = await backUp()
  expect((await list()).map((one: { id: string }) => one.id)).toEqual([newest.id, made.id])
  expect(await patch({ locked: false })).toMatchObject({ status: 200, body: { name: 'The first' } })
  expect((await ask(`DELETE /servers/backups/${id}/${made.id}`)).status).toBe(204)
  expect((await readdir(archives)).every((name) => name.startsWith(newest.id))).toBe(true)
})

it('keeps its settings, and knows what it takes', async () => {
  const { ask, id, backUp, put } = await withPaper()
  const settings = async () => (await ask(`GET /servers/backups/settings/${id}`)).body
  expect(await settings()).toMatchObject({
    ...{ engine: 'archive', exclude: [], usedBytes: 0 },
    keep: { last: 3, hourly: 0, daily: 7, weekly: 4, monthly: 0 },
  })
  await put('plugins/dynmap/tiles/1.png', 'a tile')
  const change = { exclude: ['plugins/dynmap/tiles'] }
  expect((await ask(`PATCH /servers/backups/settings/${id}`, change)).body).toMatchObject(change)
  const made = await backUp()
  expect(await settings()).toMatchObject({ ...change, usedBytes: made.addedBytes })
  const there = (await ask(`GET /servers/backups/files/${id}?backup=${made.id}&path=plugins/dynmap`)).body
  expect(there.items).toEqual([])
})

it('goes with its server', async () => {
  const { ask, id, backUp, folder } = await withPaper()
  await backUp()
  expect((await ask(`DELETE /servers/${id}?confirm=Mine`)).status).toBe(204)
  expect(existsSync(path.join(folder, 'backups', id))).toBe(false)
  expect(await readdir(path.join(folder, 'removed'))).toEqual([])
})

it('what a killed service left is settled: halves go, whole ones stay, and lost ones say so', async () => {
  const { ask, id, backUp, list, restart, archives, folder, settled } = await withPaper()
  const [whole, lost] = [await backUp(), await backUp()]
  await restart(async () => {
    await writeFile(
      path.join(archives, `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.tar.zst.new`),
      'half',
    )
    for (const ending of ['tar.zst', 'list.zst']) await rm(path.join(archives, `${lost.id}.${ending}`))
    const found = path.join(archives, `${'1'.repeat(8)}-1111-4111-8111-${'1'.repeat(12)}`)
    for (const ending of ['tar.zst', 'list.zst'])
      execFileSync('cp', [path.join(archives, `${whole.id}.${ending}`), `${found}.${ending}`])
    const { DatabaseSync } = await import('node:sqlite')
    using db = new DatabaseSync(path.join(folder, 'service.db'))
    db.exec(`INSERT INTO backups SELECT '${'2'.repeat(36)}', server_id, engine, 'begun', cause, change, 'running', created_at + 5,
      NULL, NULL, NULL, 0, 0, NULL, '[]', 0, NULL, NULL FROM backups WHERE id = '${whole.id}'`)
  })
  await settled()
  const by = async (of: string) =>
    (await list()).find((one: { id: string; name: string | null }) => one.id === of || one.name === of)
  await expect.poll(async () => (await by(lost.id))?.error?.sentence, { interval: 20 }).toBe('backups.gone')
  await expect
    .poll(async () => (await by(`${'1'.repeat(8)}-1111-4111-8111-${'1'.repeat(12)}`))?.state, {
      interval: 20,
    })
    .toBe('done')
  expect(await by(whole.id)).toMatchObject({ state: 'done' })
  expect(await by('begun')).toMatchObject({ state: 'failed', error: { sentence: 'backups.interrupted' } })
  expect((await readdir(archives)).filter((name) => name.endsWith('.new'))).toEqual([])
  expect((await ask(`DELETE /servers/backups/${id}/${lost.id}`)).status).toBe(204)
})

it('the content of a backup is answered with a tag and in parts', async () => {
  const { id, backUp, raw } = await withPaper()
  const made = await backUp()
  const at = (name: string) =>
    `/servers/backups/content/${id}?backup=${made.id}&path=${encodeURIComponent(name)}`
  const whole = await raw(at('world/region/r.0.0.mca'))
  expect(await whole.text()).toBe('chunks')
  const tag = whole.headers.get('etag')!
  expect((await raw(at('world/region/r.0.0.mca'), { 'If-None-Match': tag })).status).toBe(304)
  const part = await raw(at('world/region/r.0.0.mca'), { Range: 'bytes=1-3' })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    'hun',
    'bytes 1-3/6',
  ])
  const zip = Buffer.from(await (await raw(at('world'))).arrayBuffer())
  expect(createHash('sha256').update(zip).digest('hex')).toHaveLength(64)
  expect(zip.subarray(0, 2).toString()).toBe('PK')
  expect(zip.includes('world/region/r.0.0.mca')).toBe(true)
  expect((await raw(at('../service.db'))).status).toBe(404)
})

it.skipIf(!restic)(
  `keeps them in restic once that is chosen, beside the archives that there are${restic ? '' : `: ${NO_RESTIC}`}`,
  async () => {
    const { all, ask, backUp, bringBack, id, list, put, reaches, settled } = await withPaper()
    const archive = await backUp('archive')
    const settings = async () => (await ask(`GET /servers/backups/settings/${id}`)).body
    expect(await settings()).toMatchObject({ engine: 'archive', resticReady: true })
    const changed = await ask(`PATCH /servers/backups/settings/${id}`, { engine: 'restic' })
    expect(changed.body).toMatchObject({ engine: 'restic' })
    const before = await all()
    const first = await backUp('first')
    await put('world/region/r.0.0.mca', 'griefed')
    const second = await backUp('second')
    expect(second.addedBytes).toBeLessThan(second.bytes)
    expect((await bringBack({ backup: first.id })).status).toBe(202)
    await settled()
    await reaches('offline')
    expect(await all()).toEqual(before)
    for (const one of [first, archive])
      expect((await ask(`DELETE /servers/backups/${id}/${one.id}`)).status).toBe(204)
    expect((await list()).map(({ name }: { name?: string }) => name)).toContain('second')
    expect(
      (await ask(`GET /servers/backups/files/${id}?backup=${second.id}&path=world`)).body.items,
    ).toContainEqual(expect.objectContaining({ name: 'region', kind: 'folder' }))
  },
)

it('only the owner of the service has places for copies', async () => {
  const { ask, id } = await withPaper()
  for (const [request, body] of [
    ['GET /backups/targets', undefined],
    ['POST /backups/targets', { name: 'Disk', place: { kind: 'folder', path: '/' } }],
    ['POST /backups/targets/any/check', undefined],
    ['GET /backups/targets/any/backups', undefined],
    ['POST /backups/targets/any/backups', { backup: 'any' }],
    ['PATCH /backups/targets/any', { name: 'Mine' }],
    ['DELETE /backups/targets/any', undefined],
    [`PATCH /servers/backups/settings/${id}`, { targets: [] }],
  ] as const) {
    const { status, body: answer } = await ask(request, body)
    expect([status, answer.error.code], request).toEqual([403, 'backups.targets-owner'])
  }
  expect((await ask(`GET /servers/backups/settings/${id}`)).body.targets).toBe(null)
})
