import { spawnSync } from 'node:child_process'
import { lstat, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../../service.fixture.ts'

const set = (values: Record<string, string | null>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }))

interface PropertyRow {
  key: string
  value: string | null
  problem?: string
  readOnly?: boolean
}

async function withSettings(text: string | Buffer | null) {
  const service = await startTestService()
  const token = await service.account('ann@example.org')
  const software = { id: 'demo', version: '1.20.4' }
  const made = await service.call('POST /servers', { token, body: { name: 'Mine', software, memoryMb: 512 } })
  const file = path.join(service.service.dataDir, 'servers', made.body.id, 'server.properties')
  if (text !== null) await writeFile(file, text)
  const place = `/servers/config/${made.body.id}`
  const read = async () => {
    const { body, headers } = await service.call(`GET ${place}`, { token })
    const properties: PropertyRow[] | null = body.properties
    return {
      properties,
      of: (key: string) => properties?.find((one) => one.key === key),
      tag: headers.get('etag')!,
      body,
    }
  }
  const change = (body: object, ifMatch?: string) =>
    service.call(`PATCH ${place}`, { token, body, ...(ifMatch && { headers: { 'If-Match': ifMatch } }) })
  /** `method place` of this server. */
  const call = (route: string, body?: object) => {
    const [method, where] = route.split(' ')
    return service.call(`${method} /servers/${where}/${made.body.id}`, { token, ...(body && { body }) })
  }
  const remove = () => service.call(`DELETE /servers/${made.body.id}?confirm=Mine`, { token })
  return { read, change, call, remove, file, dataDir: service.service.dataDir, bytes: () => readFile(file) }
}

const WRITTEN = [
  '#Minecraft server properties',
  '! of mine',
  'motd=\\u00a7aHi \\\\u00a7 there',
  'difficulty = hard',
  'max-players=many',
  'view-distance=99',
  'own.key=kept\\: \\u00e9',
  'rcon.password=hush',
  'management-server-secret=hush',
  'plugin-api-token=hush',
  'server-port=25570',
  'snooper-enabled=true',
  '',
].join('\r\n')

test('properties are told by type, with what is wrong with them, and secrets stay in the service', async () => {
  const { read } = await withSettings(WRITTEN)
  const { of, body, properties } = await read()
  expect(of('motd')).toMatchObject({
    type: 'text',
    value: '§aHi \\u00a7 there',
    default: 'A Minecraft Server',
  })
  expect(of('difficulty')).toMatchObject({
    type: 'choice',
    value: 'hard',
    group: 'general',
    needsRestart: true,
  })
  expect(of('max-players')).toMatchObject({ type: 'number', value: 'many', problem: 'type' })
  expect(of('view-distance')).toMatchObject({ value: '99', problem: 'range', limits: { min: 3, max: 32 } })
  expect(of('own.key')).toMatchObject({ type: 'text', value: 'kept: é', group: 'other' })
  expect(of('server-port')).toMatchObject({ value: '25570', readOnly: true })
  expect(of('snooper-enabled')).toMatchObject({ problem: 'unused' })
  // Version 1.20.4 has these, and not those.
  expect(of('pvp')).toMatchObject({ value: null, default: 'true' })
  expect(of('pause-when-empty-seconds')).toBeUndefined()
  expect(properties!.filter(({ key }) => /secret|password|token/.test(key))).toEqual([])
  expect(JSON.stringify(body)).not.toContain('hush')
})

test('a change writes these values alone; comments, order, unknown keys, escapes and line ends stay byte for byte', async () => {
  const { read, change, bytes } = await withSettings(
    Buffer.concat([Buffer.from(WRITTEN), Buffer.from('latin=\xe9\r\n', 'latin1')]),
  )
  const { tag } = await read()
  const done = await change(
    { properties: set({ difficulty: 'easy', motd: '§bÄ', pvp: 'false', 'own.key': null }) },
    tag,
  )
  expect(done.status).toBe(200)
  expect(done.headers.get('etag')).toBe((await read()).tag)
  expect((await bytes()).toString('latin1')).toBe(
    `${WRITTEN.replace('difficulty = hard', 'difficulty=easy')
      .replace(/motd=.*\r/, 'motd=\\u00A7b\\u00C4\r')
      .replace(/own\.key.*\r\n/, '')}latin=\xe9\r\npvp=false\r\n`,
  )
  expect((await read()).of('motd')).toMatchObject({ value: '§bÄ' })
})

test('a value that somebody else has changed meanwhile makes the change a 412; a comment does not', async () => {
  const { read, change, file, bytes } = await withSettings('difficulty=easy\n')
  const { tag } = await read()
  await writeFile(file, '#Tue Nov 24\ndifficulty=easy\n')
  expect((await change({ properties: set({ pvp: 'false' }) }, tag)).status).toBe(200)
  const second = await change({ name: 'Other', properties: set({ pvp: 'true' }) }, tag)
  expect([second.status, second.body.error.code]).toEqual([412, 'config.changed'])
  expect((await bytes()).toString()).toBe('#Tue Nov 24\ndifficulty=easy\npvp=false\n')
  expect((await read()).body.name).toBe('Mine')
})

test('of two changes by the same version at once one is done', async () => {
  const { read, change, bytes } = await withSettings('difficulty=easy\n')
  const { tag } = await read()
  const done = await Promise.all([
    change({ name: 'One', properties: set({ 'max-players': '7' }) }, tag),
    change({ name: 'Two', properties: set({ 'max-players': '8' }) }, tag),
  ])
  expect(done.map(({ status }) => status).sort()).toEqual([200, 412])
  const won = done[0].status === 200 ? 0 : 1
  expect((await bytes()).toString()).toBe(`difficulty=easy\nmax-players=${won + 7}\n`)
  expect((await read()).body.name).toBe(['One', 'Two'][won])
})

test('what does not fit, is secret, is unknown or is decided by the service is refused, and nothing is written', async () => {
  const { change, bytes } = await withSettings(WRITTEN)
  const wrong = {
    ...{
      difficulty: 'brutal',
      'max-players': '2.5',
      'view-distance': '2',
      pvp: 'yes',
      'server-port': '25565',
    },
    ...{
      'rcon.password': 'x',
      'management-server-enabled': 'true',
      'no-such-key': '1',
      'plugin-api-token': 'x',
    },
  }
  const refused = await change({ name: 'Other', properties: set({ ...wrong, motd: 'fine' }) })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'config.property'])
  expect(Object.keys(refused.body.error.fields).sort()).toEqual(
    Object.keys(wrong)
      .map((key) => `properties.${key}`)
      .sort(),
  )
  // Each in a sentence that a panel can say in its own language.
  expect(refused.body.error).toMatchObject({
    ...{ sentence: 'config.property', values: { key: Object.keys(wrong)[0] } },
    fieldSentences: {
      'properties.view-distance': { sentence: 'config.property.why', values: { why: 'setting-range' } },
      'properties.no-such-key': { sentence: 'config.property.why', values: { why: 'setting-unknown' } },
    },
  })
  expect(refused.body.error.fields['properties.pvp']).toEqual([
    'This value has another form than this setting needs.',
  ])
  expect((await bytes()).toString()).toBe(WRITTEN)
})

test('a world stays in the folder of its server', async () => {
  const { read, change } = await withSettings('level-name=../other\n')
  expect((await read()).of('level-name')).toMatchObject({ value: '../other', problem: 'type' })
  for (const name of ['../other', 'a/../../b', '/etc', '\\\\host\\share', 'C:\\x', 'a\\..\\..', 'a\nb'])
    expect([name, (await change({ properties: set({ 'level-name': name }) })).status]).toEqual([name, 422])
  expect((await change({ properties: set({ 'level-name': 'worlds/my world..' }) })).status).toBe(200)
})

test('a value with line ends stays one value, and what is too long is refused', async () => {
  const { read, change, bytes } = await withSettings('motd=a\n')
  expect((await change({ properties: set({ motd: 'a\nonline-mode=false\r\\' }) })).status).toBe(200)
  expect((await bytes()).toString()).toBe('motd=a\\nonline-mode=false\\r\\\\\n')
  expect((await read()).of('online-mode')).toMatchObject({ value: null })
  expect((await change({ properties: set({ motd: 'x'.repeat(5001) }) })).status).toBe(422)
})

test('where the database refuses, the settings file is as it was; where the file cannot be placed, so is the database', async () => {
  const { read, change, file, dataDir, bytes } = await withSettings('difficulty=easy\n')
  const { tag } = await read()
  const both = () => change({ name: 'Other', properties: set({ difficulty: 'hard' }) }, tag)
  const now = async () => [
    (await read()).body.name,
    (await read()).of('difficulty')?.value,
    (await read()).tag,
  ]
  using database = new DatabaseSync(path.join(dataDir, 'service.db'))
  database.exec(
    `CREATE TRIGGER full BEFORE UPDATE ON servers BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
  )
  expect((await both()).status).toBeGreaterThanOrEqual(500)
  expect((await bytes()).toString()).toBe('difficulty=easy\n')
  expect(await now()).toEqual(['Mine', 'easy', tag])
  database.exec('DROP TRIGGER full')
  // A mount holds its name.
  if (spawnSync('mount', ['--bind', file, file]).status === 0) {
    onTestFinished(() => void spawnSync('umount', [file]))
    expect((await both()).status).toBeGreaterThanOrEqual(400)
    expect((await bytes()).toString()).toBe('difficulty=easy\n')
    expect(await now()).toEqual(['Mine', 'easy', tag])
    spawnSync('umount', [file])
  }
  expect((await both()).status).toBe(200)
  expect((await now()).slice(0, 2)).toEqual(['Other', 'hard'])
})

test('a server whose software has no such file has no properties; a file that is too large is left alone', async () => {
  const { read, change, file, bytes } = await withSettings(null)
  expect((await read()).properties).toBeNull()
  expect((await change({ properties: set({ motd: 'x' }) })).status).toBe(422)
  await expect(bytes()).rejects.toThrow('ENOENT')
  await writeFile(file, Buffer.alloc(300_000, '#'))
  expect((await read()).properties).toBeNull()
  expect((await change({ properties: set({ motd: 'x' }) })).body.error.code).toBe('config.settings-damaged')
  expect((await change({ name: 'Other' })).status).toBe(200)
  await rm(file)
})

test('of a server that runs is told which values it runs with, where they are others now', async () => {
  const it = await withSettings('max-players=20\nwhite-list=false\nserver-port=1\n')
  const until = (status: string) =>
    expect.poll(async () => (await it.call('GET status')).body.status, { timeout: 30_000 }).toBe(status)
  await it.call('POST power', { action: 'start' })
  await until('online')
  await it.change({ properties: set({ 'max-players': '30', 'white-list': 'true', difficulty: 'hard' }) })
  await expect.poll(async () => (await it.read()).of('max-players')).toMatchObject({ running: '20' })
  const { of } = await it.read()
  expect(of('difficulty')).toMatchObject({ value: 'hard', running: 'easy' })
  // Turned on and off while the server runs: nobody can say.
  expect(of('white-list')).not.toHaveProperty('running')
  expect(of('pvp')).not.toHaveProperty('running')
  await it.call('POST power', { action: 'stop' })
  await until('offline')
  expect((await it.read()).of('max-players')).not.toHaveProperty('running')
})

test('a port is taken by one server alone, and a refusal changes nothing else', async () => {
  const service = await startTestService()
  const token = await service.account('ann@example.org')
  const create = async (name: string) =>
    (
      await service.call('POST /servers', {
        token,
        body: { name, software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 },
      })
    ).body
  const [one, other] = [await create('One'), await create('Other')]
  const change = (id: string, body: object) => service.call(`PATCH /servers/config/${id}`, { token, body })
  const taken = await change(one.id, { name: 'Else', port: other.address.port })
  expect(taken).toMatchObject({
    status: 409,
    body: { error: { code: 'server.port-taken', fields: { port: [expect.stringContaining('is free')] } } },
  })
  expect((await service.call(`GET /servers/config/${one.id}`, { token })).body).toMatchObject({
    name: 'One',
    port: one.address.port,
  })
  const wanted = other.address.port + 20
  const both = await Promise.all([one, other].map(({ id }) => change(id, { port: wanted })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await change(one.id, { port: 80 })).body.error.fields).toHaveProperty('port')
  // Its own port is no change.
  expect((await change(other.id, { port: other.address.port, name: 'New' })).status).toBe(200)
})

test('several changes at once give an account no more memory than it may have', async () => {
  const service = await startTestService({ memoryPerAccount: 2048 })
  const token = await service.account('ann@example.org')
  const ids = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      const body = { name, software: { id: 'demo', version: '1.20.4' }, memoryMb: 256 }
      const { id } = (await service.call('POST /servers', { token, body })).body
      await writeFile(path.join(service.service.dataDir, 'servers', id, 'server.properties'), 'motd=Hello\n')
      return id as string
    }),
  )
  const answers = await Promise.all(
    ids.map((id) =>
      service.call(`PATCH /servers/config/${id}`, {
        token,
        body: { memoryMb: 1280, properties: set({ motd: `Hello from ${id}` }) },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const all = (await service.call('GET /servers', { token })).body.items as { memoryMb: number }[]
  expect(all.reduce((sum, { memoryMb }) => sum + memoryMb, 0)).toBe(2048)
})

test('a server that lies behind links is deleted with its links alone, and what stays is told before', async () => {
  const { read, remove, change, file } = await withSettings('motd=x\n')
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'))
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
  const folder = path.dirname(file)
  expect((await read()).body).not.toHaveProperty('linksOut')
  await writeFile(path.join(elsewhere, 'level.dat'), 'a world')
  for (const [name, to] of [
    ['world', elsewhere],
    ['gone', path.join(elsewhere, 'not-connected')],
    ['within', 'server.properties'],
  ])
    await symlink(to!, path.join(folder, name!))
  expect((await read()).body.linksOut).toEqual(['gone', 'world'])
  // Its whole folder on another disk.
  await rename(folder, path.join(elsewhere, 'server'))
  await symlink(path.join(elsewhere, 'server'), folder)
  expect((await read()).body.linksOut).toEqual([''])
  expect((await change({ autoStart: true })).body.linksOut).toEqual([''])
  expect((await remove()).status).toBe(204)
  expect(await readFile(path.join(elsewhere, 'level.dat'), 'utf8')).toBe('a world')
  expect(await readFile(path.join(elsewhere, 'server', 'server.properties'), 'utf8')).toBe('motd=x\n')
  await expect(lstat(folder)).rejects.toThrow('ENOENT')
})
