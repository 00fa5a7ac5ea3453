import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { KEY } from '../../../tests/doubles/hosts/pterodactyl/panel.ts'
import { linesSent, numbersIn, signedIn, upTo, writerOf } from './pterodactyl.fixture.ts'

test('servers are listed with their state, address and what one may do', async () => {
  const { view, ref, host, server } = await signedIn()
  server.owner = false
  server.permissions = ['websocket.connect', 'control.start', 'file.read']
  host.add('/nowhere', { name: 'Away', suspended: true })
  const { value } = await view('servers.list', { connectionId: ref.connectionId }, true)
  expect(value?.items).toMatchObject([
    {
      name: 'Survival',
      status: 'online',
      address: { host: 'play.example.com', port: 25_565 },
      memoryMb: 4096,
      role: expect.arrayContaining(['control.start', 'console.read', 'stats.read', 'files.read']) as unknown,
    },
    { name: 'Away', status: { kind: 'unknown', raw: 'suspended' } },
  ])
  expect(value?.items[0]?.role).not.toContain('control.stop')
  expect(value?.items[0]?.role).not.toContain('files.write')
  expect(value?.items[1]?.role).toContain('files.delete')
  expect(value?.items[1]?.role).not.toContain('software.write')
})

test('all pages of a long list are read', async () => {
  const { view, ref, host } = await signedIn()
  for (let at = 0; at < 130; at++) host.add('/nowhere', { name: `Server ${at}`, suspended: true })
  const { value } = await view('servers.list', { connectionId: ref.connectionId }, true)
  expect(value?.items).toHaveLength(131)
})

test('a console goes on after its connection broke, from the log file, each line once', async () => {
  const panel = await signedIn()
  const { call, host, ref } = panel
  const write = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length).toBe(5)
  write(3)
  host.wings.cut()
  write(400)
  await expect.poll(() => host.wings.lines.size).toBe(0)
  await expect.poll(() => host.wings.lines.size, { timeout: 10_000 }).toBe(1)
  write(3)
  await expect.poll(() => linesSent(panel).at(-1), { timeout: 10_000 }).toBe(410)
  expect(linesSent(panel)).toEqual(upTo(411))
})

test('lines that the machine says it dropped are taken from the log file', async () => {
  const panel = await signedIn()
  const { call, host, server, ref } = panel
  const write = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length).toBe(5)
  write(1500, true)
  host.wings.tell(server.uuid, 'throttled', 'global')
  write(3)
  await expect.poll(() => linesSent(panel).at(-1), { timeout: 10_000 }).toBe(1507)
  expect(linesSent(panel)).toEqual(upTo(1508))
})

test('a machine that refuses the console is named in it, and the log file is shown', async () => {
  const panel = await signedIn()
  const { call, host, ref, seen } = panel
  host.wings.origin = 'https://other.example'
  writerOf(panel)(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).slice(0, 5)).toEqual(upTo(5))
  await expect.poll(() => JSON.stringify(seen)).toContain(`allow the address ${host.address}`)
})

test('a machine that knows the panel by another address gets that one: where the panel leads, or what was entered', async () => {
  const panel = await signedIn()
  const { call, host, ref } = panel
  const origins = () =>
    host.wings.heard.flatMap((one) => (one as [string, { origin?: string }])[1].origin ?? [])
  host.wings.origin = host.appUrl = 'https://panel.example'
  writerOf(panel)(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => host.wings.lines.size).toBe(1)
  expect(origins()).toEqual([host.address, 'https://panel.example'])
  host.wings.origin = 'https://entered.example'
  const set = (origin: string) =>
    call('connections.set-console-origin', { connectionId: ref.connectionId, origin })
  expect(await set('https://entered.example')).toMatchObject({ consoleOrigin: 'https://entered.example' })
  host.wings.cut()
  await expect.poll(origins, { timeout: 20_000 }).toContain('https://entered.example')
  await expect.poll(() => host.wings.lines.size).toBe(1)
  const again = await panel.restart()
  expect(await again.call('connections.list', undefined)).toMatchObject([
    { consoleOrigin: 'https://entered.example' },
  ])
  const cleared = await again.call('connections.set-console-origin', {
    connectionId: ref.connectionId,
    origin: '',
  })
  expect(cleared.consoleOrigin).toBeUndefined()
  await expect(set('javascript:1')).rejects.toBeDefined()
  expect(
    host.seen.filter(({ path: at }) => at === '/').every(({ authorization }) => authorization === null),
  ).toBe(true)
})

test('the key is deleted at the host when that is asked for, and only then', async () => {
  const { call, host, ref } = await signedIn()
  const { connectionId } = ref
  expect(await call('connections.sign-out', { connectionId })).toMatchObject({ revoked: false })
  expect(host.isKeyDeleted).toBe(false)
  const { id } = await call('connections.use-token', { baseUrl: host.base, token: KEY })
  expect(await call('connections.sign-out', { connectionId: id, everywhere: true })).toMatchObject({
    revoked: true,
  })
  expect(host.isKeyDeleted).toBe(true)
})

test('the console of an earlier run is continued, and nothing of it comes twice', async () => {
  const panel = await signedIn()
  const write = writerOf(panel)
  write(50)
  await panel.call('console.watch', { ...panel.ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length).toBe(50)
  const again = await panel.restart()
  write(20)
  const { pieces } = await again.call('console.watch', { ...panel.ref, limit: 10_000 })
  const shown = () => [...numbersIn(pieces), ...linesSent(again)]
  await expect.poll(() => shown().at(-1)).toBe(69)
  expect(shown()).toEqual(upTo(70))
})

test('what no log holds is shown as a gap', async () => {
  const panel = await signedIn()
  const { call, host, server, files, ref } = panel
  const write = writerOf(panel)
  write(5)
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => linesSent(panel).length).toBe(5)
  host.wings.cut()
  write(10)
  // A server that was started anew begins another file.
  writeFileSync(path.join(files, 'logs/latest.log'), '[00:01:00] [Server thread/INFO]: line 100\n')
  await expect.poll(() => host.wings.lines.size).toBe(0)
  await expect.poll(() => linesSent(panel), { timeout: 10_000 }).toEqual([...upTo(5), 'gap', 100])
  host.wings.print(server.uuid, '[00:01:01 INFO]: line 101')
  await expect.poll(() => linesSent(panel).at(-1)).toBe(101)
})

test('what becomes of a server whose console nobody has open is told by its socket at once', async () => {
  const { send, view, until, host, server, at, seen } = await signedIn()
  await view('servers.list', { connectionId: at.connectionId })
  await until('live', ({ now }) => now.state === 'live')
  const becomes = (status: string) =>
    until(
      'view',
      (news) => news.view === 'servers.list' && news.now.value?.items[0]?.status === status,
      seen.length,
    )
  const stopped = becomes('offline')
  await send('servers.power', { ...at, body: { action: 'stop' } })
  await stopped
  await expect.poll(() => host.wings.lines.size).toBe(1)
  const started = becomes('starting')
  host.wings.tell(server.uuid, 'status', 'starting')
  await started
})

test('status, statistics and commands go through the socket of the console', async () => {
  const { call, send, view, until, host, server, ref, at, seen } = await signedIn()
  await call('console.watch', { ...ref, limit: 0 })
  await view('servers.status', at)
  await until('live', ({ now }) => now.state === 'live')
  const becomes = (status: string) =>
    until('view', (news) => news.view === 'servers.status' && news.now.value?.status === status, seen.length)
  const stopped = becomes('offline')
  await send('servers.power', { ...at, body: { action: 'stop' } })
  await stopped
  const started = becomes('online')
  await send('servers.power', { ...at, body: { action: 'start' } })
  await started
  const stats = { state: 'running', memory_bytes: 5, memory_limit_bytes: 9, cpu_absolute: 7, uptime: 9000 }
  host.wings.tell(server.uuid, 'stats', JSON.stringify(stats))
  await until('sample', ({ sample }) => sample.cpu === 7)
  await call('console.command', { ...ref, command: 'say hi' })
  await expect.poll(() => JSON.stringify(seen)).toContain('heard say hi')
})

test('files are listed, read, saved, moved, uploaded and deleted', async () => {
  const { call, view, until, panel, files, folder, ref, at } = await signedIn()
  writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n')
  mkdirSync(path.join(files, 'world'))
  const { value } = await view('files.list', { ...at, query: { path: '' } }, true)
  expect(value?.items).toMatchObject([
    { name: 'server.properties', kind: 'file', size: 11, mode: 0o644 },
    { name: 'world', kind: 'folder' },
  ])
  const file = { ...ref, path: 'server.properties' }
  const { content, etag } = (await call('files.read-text', file)) as { content: unknown; etag: string }
  expect(content).toEqual({ kind: 'text', text: 'motd=Hello\n' })
  const base = { kind: 'etag' as const, etag }
  await call('files.write-text', { ...file, text: 'motd=Bye\n', base })
  expect(readFileSync(path.join(files, 'server.properties'), 'utf8')).toBe('motd=Bye\n')
  await expect(call('files.write-text', { ...file, text: 'motd=Late\n', base })).rejects.toMatchObject({
    problem: { code: 'changed' },
  })
  await call('files.move', {
    ...ref,
    items: [{ from: 'server.properties', to: 'world/a.txt' }],
    conflict: 'refuse',
  })
  writeFileSync(path.join(folder, 'large.bin'), Buffer.alloc(6 * 1024 * 1024, 7))
  await panel.upload({
    to: { ...ref, folder: 'world' },
    files: [{ file: path.join(folder, 'large.bin'), path: 'large.bin' }],
    folders: [],
  })
  const { items } = await until('transfers', ({ items: all }) => all.some(({ endedAt }) => endedAt !== null))
  expect(items).toMatchObject([{ state: 'done', filesDone: 1, problem: null }])
  expect(readFileSync(path.join(files, 'world/large.bin')).equals(Buffer.alloc(6 * 1024 * 1024, 7))).toBe(
    true,
  )
  // Without a trash, it is asked first.
  const paths = ['world/large.bin', 'world/none.txt']
  await expect(call('files.remove', { ...ref, paths, permanent: false })).rejects.toMatchObject({
    problem: { code: 'changed' },
  })
  expect(
    (await call('files.remove', { ...ref, paths: paths.slice(0, 1), permanent: true })).results,
  ).toMatchObject([{ outcome: 'done' }])
  expect(readdirSync(path.join(files, 'world'))).toEqual(['a.txt'])
})

test('what the host refuses is a sentence', async () => {
  const { call, view, host, at, ref, server } = await signedIn()
  const problemOf = async (asked: Promise<unknown>) =>
    (await asked.catch(({ problem }: { problem: { code: string; message: string } }) => problem)) as {
      code: string
      message: string
    }
  const sentence = async () => (await view('files.list', { ...at, query: { path: '' } }, true)).problem
  host.nodeDown = true
  expect(await sentence()).toMatchObject({ code: 'service-failed', serviceCode: 'host.node-away' })
  host.nodeDown = false
  server.suspended = true
  expect(await sentence()).toMatchObject({ code: 'conflict', serviceCode: 'host.busy' })
  server.suspended = false
  host.instead = () => ({ status: 403, html: '<html>Just a moment…</html>' })
  expect(await sentence()).toMatchObject({ code: 'service-failed', serviceCode: 'host.page' })
  host.instead = () => ({ status: 403, body: { api: { code: 403, endpoint: 'server', data: null } } })
  expect(await sentence()).toMatchObject({ code: 'service-failed', serviceCode: 'host.other-api' })
  host.instead = () => ({ status: 429, body: { errors: [] }, headers: { 'retry-after': '1' } })
  expect(await sentence()).toMatchObject({ code: 'rate-limited', retryAfter: 1 })
  host.instead = null
  server.state = 'offline'
  expect(await problemOf(call('console.command', { ...ref, command: 'x' }))).toMatchObject({
    serviceCode: 'host.offline',
  })
  const application = call('connections.use-token', { baseUrl: host.base, token: `ptla_${KEY.slice(5)}` })
  expect(await problemOf(application)).toMatchObject({ serviceCode: 'host.application-key' })
  const wrong = call('connections.use-token', { baseUrl: host.base, token: 'ptlc_wrong' })
  expect(await problemOf(wrong)).toMatchObject({ code: 'invalid' })
})

test('a panel is recognized by its address, however that is typed, and without any secret', async () => {
  const { call, host } = await signedIn()
  const recognized = (baseUrl: string) => call('connections.recognize', { baseUrl })
  expect(await recognized(`${host.address}/server/a1b2c3d4`)).toBe(host.base)
  expect(await recognized(host.address.replace('http://', ' '))).toBe(host.base)
  expect(host.seen.filter(({ authorization }) => authorization === null)).toHaveLength(2)
  host.instead = () => ({ status: 401, html: '<html>"code":"AuthenticationException"' })
  expect(await recognized(`${host.address}/api/v1`)).toBeNull()
  host.instead = () => ({ status: 200, body: {} })
  expect(await recognized(host.address)).toBeNull()
  await expect(recognized('https://aternos.org/server/')).rejects.toMatchObject({
    problem: { code: 'bad-address', fields: { baseUrl: [expect.stringContaining('Aternos')] } },
  })
})

test('backups of the host are made, locked, brought back and deleted', async () => {
  const { send, view, call, host, server, ref, at } = await signedIn()
  const list = async () => (await view('backups.list', at, true)).value?.items
  await call('console.watch', { ...ref, limit: 0 })
  await send('backups.create', { ...at, body: { name: 'Before the event' } })
  expect(await list()).toMatchObject([{ name: 'Before the event', cause: 'manual', state: 'running' }])
  const backup = server.backups[0]!
  backup.done = true
  await expect.poll(() => host.wings.lines.size).toBe(1)
  host.wings.tell(server.uuid, `backup completed:${backup.uuid}`, '{}')
  await expect.poll(async () => (await view('backups.list', at)).value?.items[0]?.state).toBe('done')
  const of = { ...at, params: { ...at.params, backupId: backup.uuid } }
  await send('backups.change', { ...of, body: { locked: true } })
  await send('backups.change', { ...of, body: { locked: true } })
  expect(backup.locked).toBe(true)
  await expect(send('backups.remove', of)).rejects.toMatchObject({ problem: { serviceCode: 'host.said' } })
  await send('backups.restore', { ...at, body: { backup: backup.uuid, to: 'here' } })
  expect(host.restored).toEqual([{ backup: backup.uuid, truncate: true }])
  expect(await list()).toMatchObject([{ state: 'done', bytes: 5000, progress: { kind: 'restore' } }])
  server.status = null
  expect((await list())?.[0]?.progress ?? null).toBeNull()
  await send('backups.change', { ...of, body: { locked: false } })
  await send('backups.remove', of)
  expect(server.backups).toEqual([])
})
