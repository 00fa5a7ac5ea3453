import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import { signedIn } from './exaroton.fixture.ts'

interface SentProblem {
  code: string
  message: string
  serviceCode?: string
}
const problemOf = (asked: Promise<unknown>): Promise<SentProblem> =>
  asked.then(
    () => ({ code: 'none', message: '' }),
    ({ problem }: { problem: SentProblem }) => problem,
  )

test('servers are listed with state, address, players and software, one request for all', async () => {
  const { view, ref, host, at } = await signedIn({ players: ['Ann'] })
  host.add('/nowhere', { name: 'away', status: 8, shared: true })
  host.servers.push({ ...host.servers[0]!, id: '', name: 'broken' })
  const before = host.seen.length
  const { value } = await view('servers.list', { connectionId: ref.connectionId }, true)
  expect(host.seen.slice(before).map(({ path: at }) => at)).toEqual(['/exaroton/v1/servers'])
  expect(value?.items).toMatchObject([
    {
      name: 'survival',
      status: 'online',
      address: { host: 'survival.exaroton.me' },
      players: { online: 1, max: 20 },
      software: { name: 'Paper', version: '1.21.4' },
    },
    { name: 'away', status: { kind: 'unknown', raw: 'waiting' } },
  ])
  const role = value?.items[0]?.role
  expect(role).toEqual(expect.arrayContaining(['control.start', 'files.write', 'players.act']))
  for (const scope of ['control.kill', 'backups.read', 'software.write', 'schedules.read'])
    expect(role).not.toContain(scope)
  const server = await view('servers.read', at, true)
  expect(server.value).toMatchObject({ memoryMb: 4096 })
})

test('stop and restart are sent once, whatever comes of them, and a start takes nobody’s own credits', async () => {
  const { call, send, until, host, server, ref, at, seen } = await signedIn()
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => host.lines.size).toBe(1)
  const words = () =>
    seen.flatMap(({ event, value }) => {
      const news = value as { view: string; now: { value: { status: unknown } | null } }
      return event === 'view' && news.view === 'servers.status' ? [news.now.value?.status] : []
    })
  const power = (action: 'start' | 'stop' | 'restart' | 'kill') =>
    send('servers.power', { ...at, body: { action } })
  const becomes = (status: string) =>
    until('view', (news) => news.view === 'servers.status' && news.now.value?.status === status, seen.length)

  host.instead = (_method, to) => (to.endsWith('/stop') ? 'cut' : undefined)
  expect(await problemOf(power('stop'))).toMatchObject({ code: 'offline', unsure: true })
  host.instead = (_method, to) => (to.endsWith('/restart') ? { status: 502, html: '<html>' } : undefined)
  expect(await problemOf(power('restart'))).toMatchObject({ serviceCode: 'exaroton.page' })
  host.instead = null
  expect([host.count('GET', '/stop'), host.count('GET', '/restart')]).toEqual([1, 1])

  const stopped = becomes('offline')
  await power('stop')
  await stopped
  const started = becomes('online')
  await power('start')
  await started
  expect(host.count('GET', '/stop')).toBe(2)
  expect(host.count('POST', '/start')).toBe(1)
  expect(host.seen.find(({ path: to }) => to.endsWith('/start'))?.body).toBe('{"useOwnCredits":false}')
  expect(await problemOf(power('kill'))).toMatchObject({ serviceCode: 'exaroton.no-kill' })
  expect(host.seen.some(({ path: to }) => to.endsWith('/kill'))).toBe(false)
  expect(words()).toEqual(expect.arrayContaining(['offline', 'online']))
  expect(server.status).toBe(1)
  expect(host.faults).toEqual([])
})

test('credits are those of the account, asked for anew each time, or are said to be unreadable', async () => {
  const { view, host, at } = await signedIn()
  const credits = () => view('hosting.credits', { connectionId: at.connectionId })
  expect((await credits()).value).toEqual({ credits: 12.5 })
  host.credits = 3
  expect((await credits()).value).toEqual({ credits: 3 })
  host.credits = null
  expect(await credits()).toMatchObject({ value: null, problem: { serviceCode: 'exaroton.unreadable' } })
})

const WORDS = {
  ...{ 0: 'offline', 1: 'online', 2: 'starting', 3: 'stopping', 5: 'saving', 6: 'loading' },
  ...{ 8: 'waiting', 10: 'starting' },
} as Record<number, string>

test('every state has its word, and streams are asked for only where they are to be had', async () => {
  const { call, send, view, host, ref, at, seen } = await signedIn({ status: 0 })
  await call('console.watch', { ...ref, limit: 0 })
  await view('servers.status', at)
  await expect.poll(() => host.lines.size).toBe(1)
  const word = () => {
    const news = seen.findLast(
      ({ event, value }) => event === 'view' && (value as { view: string }).view === 'servers.status',
    )?.value as { now: { value: { status: string | { raw: string } } | null } } | undefined
    const status = news?.now.value?.status
    return typeof status === 'object' ? status.raw : status
  }
  const walked: number[] = []
  host.onState = async (status) => {
    await expect.poll(word, { timeout: 5000 }).toBe(WORDS[status])
    walked.push(status)
  }
  await send('servers.power', { ...at, body: { action: 'start' } })
  await expect.poll(() => walked, { timeout: 15_000 }).toEqual([8, 6, 10, 2, 1])
  await send('servers.power', { ...at, body: { action: 'stop' } })
  await expect.poll(() => walked.slice(5), { timeout: 15_000 }).toEqual([3, 5, 0])
  expect(host.faults).toEqual([])
})

test('statistics and players come through the socket, commands are answered', async () => {
  const { call, until, host, server, ref, seen } = await signedIn()
  writeFileSync(path.join(server.folder, 'logs/latest.log'), '')
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => JSON.stringify(seen)).toContain('"state":"live"')
  await expect.poll(() => [...host.lines][0]?.streams.has('stats')).toBe(true)
  host.tell(server, { stream: 'tick', type: 'tick', data: { averageTickTime: 100 } })
  const sample = until('sample', ({ sample: { memory } }) => memory === 5_000_000)
  host.tell(server, { stream: 'stats', type: 'stats', data: { memory: { percent: 5, usage: 5_000_000 } } })
  await sample
  server.players.push('Ann')
  const counted = until('view', ({ view, now }) => {
    const status = now.value as { players?: { online: number } } | null
    return view === 'servers.status' && status?.players?.online === 1
  })
  host.enter(server, 1)
  await counted
  await call('console.command', { ...ref, command: 'say hi' })
  await expect.poll(() => JSON.stringify(seen), { timeout: 5000 }).toContain('heard say hi')
  host.enter(server, 0)
  expect(await problemOf(call('console.command', { ...ref, command: 'x' }))).toMatchObject({
    code: 'conflict',
    serviceCode: 'exaroton.said',
    message: 'exaroton refused: “Server is not online” Look at the server at exaroton.com.',
  })
})

test('files are listed, read, saved, uploaded and deleted, and there is no move', async () => {
  const { call, view, until, panel, files, folder, ref, at, host } = await signedIn()
  writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n')
  mkdirSync(path.join(files, 'my world'))
  const { value } = await view('files.list', { ...at, query: { path: '' } }, true)
  expect(value?.items).toMatchObject([
    { name: 'logs', kind: 'folder' },
    { name: 'my world', kind: 'folder', size: null },
    { name: 'server.properties', kind: 'file', size: 11 },
  ])
  const file = { ...ref, path: 'server.properties' }
  const { content, etag } = (await call('files.read-text', file)) as { content: unknown; etag: string }
  expect(content).toEqual({ kind: 'text', text: 'motd=Hello\n' })
  const base = { kind: 'etag' as const, etag }
  await call('files.write-text', { ...file, text: 'motd=Bye\n', base })
  expect(readFileSync(path.join(files, 'server.properties'), 'utf8')).toBe('motd=Bye\n')
  expect(await problemOf(call('files.write-text', { ...file, text: 'motd=Late\n', base }))).toMatchObject({
    code: 'changed',
  })
  const items = [{ from: 'server.properties', to: 'a.txt' }]
  expect(await problemOf(call('files.move', { ...ref, items, conflict: 'refuse' }))).toMatchObject({
    code: 'unavailable',
  })
  writeFileSync(path.join(folder, 'large #1.bin'), Buffer.alloc(6 * 1024 * 1024, 7))
  await panel.upload({
    to: { ...ref, folder: 'my world/new' },
    files: [{ file: path.join(folder, 'large #1.bin'), path: 'large #1.bin' }],
    folders: [],
  })
  const { items: transfers } = await until('transfers', ({ items: all }) =>
    all.some(({ endedAt }) => endedAt !== null),
  )
  expect(transfers).toMatchObject([{ state: 'done', filesDone: 1, problem: null }])
  const uploaded = readFileSync(path.join(files, 'my world/new/large #1.bin'))
  expect(uploaded.equals(Buffer.alloc(6 * 1024 * 1024, 7))).toBe(true)
  expect(host.count('PUT', '/files/data/my%20world/new/large%20%231.bin')).toBe(1)
  const paths = ['my world/new']
  const removed = await call('files.remove', { ...ref, paths, permanent: true })
  expect(removed.results).toMatchObject([{ outcome: 'done' }])
  expect(readdirSync(path.join(files, 'my world'))).toEqual([])
})

test('an icon is read once, until it is changed from here, and not taken for absent while it cannot be read', async () => {
  const { view, call, host, files, at, ref } = await signedIn()
  const png = readFileSync('build/icons/linux/64x64.png')
  const picture = async () => (await view('servers.icon', at, true)).value?.picture
  const seen = () => host.count('GET', '/files/data/server-icon.png')
  writeFileSync(path.join(files, 'server-icon.png'), png)
  host.instead = (_method, to) =>
    to.endsWith('.png') ? { status: 400, body: { success: false, error: 'Not now' } } : undefined
  expect(await picture()).toBeUndefined()
  host.instead = null
  expect(await picture()).toBe(`data:image/png;base64,${png.toString('base64')}`)
  const before = seen()
  await picture()
  expect(seen()).toBe(before)
  await call('files.remove', { ...ref, paths: ['server-icon.png'], permanent: true })
  expect(await picture()).toBeNull()
})

test('no file is changed while its server is on its way', async () => {
  const { call, host, server, files, ref } = await signedIn({ status: 6 })
  const file = { ...ref, path: 'a.txt', text: 'x', base: { kind: 'create' as const } }
  expect(await problemOf(call('files.write-text', file))).toMatchObject({
    serviceCode: 'exaroton.moving-files',
  })
  host.enter(server, 0)
  await call('files.write-text', file)
  expect(readFileSync(path.join(files, 'a.txt'), 'utf8')).toBe('x')
  expect(host.faults).toEqual([])
})

test('an upload waits through every state of a server on its way, and is sent once it settled', async () => {
  const { call, until, panel, folder, files, host, server, ref } = await signedIn()
  await call('console.watch', { ...ref, limit: 0 })
  await expect.poll(() => host.lines.size).toBe(1)
  mkdirSync(path.join(folder, 'pack/data'), { recursive: true })
  writeFileSync(path.join(folder, 'pack/data/a.bin'), 'whole')
  for (const way of [
    [3, 5, 0],
    [8, 6, 10, 2, 1],
    [4, 9, 7],
  ]) {
    const at = `to-${way.join('-')}`
    host.enter(server, way[0]!)
    const { transferId } = await panel
      .upload({
        to: { ...ref, folder: at },
        files: [{ file: path.join(folder, 'pack/data/a.bin'), path: 'data/a.bin' }],
        folders: ['data'],
      })
      .then((answer) => (answer as { value: { transferId: string } }).value)
    const shown = (isSo: (transfer: Transfer) => boolean) =>
      until('transfers', ({ items }) => items.some((one) => one.id === transferId && isSo(one)))
    await shown(
      ({ state, problem }) =>
        state === 'waiting' && problem?.text?.key === 'refused.exaroton.moving-files.upload',
    )
    const done = shown(({ state }) => state === 'done')
    for (const status of way.slice(1)) host.enter(server, status)
    await done
    expect(readFileSync(path.join(files, at, 'data/a.bin'), 'utf8')).toBe('whole')
    expect(host.count('PUT', `${at}/data/a.bin`)).toBe(1)
  }
  // Streams that were on their way when a state ended are no matter of files.
  expect(host.faults.filter((fault) => fault.startsWith('written'))).toEqual([])
})

test('a list that the owner keeps from one is named, and the others are shown', async () => {
  const { view, server, at } = await signedIn({ shared: true })
  server.allows = (asked) => asked !== 'playerlists/ops/'
  server.lists['whitelist']!.push('Ann')
  const { value } = await view('players.list', at, true)
  expect(value).toMatchObject({ items: [{ name: 'Ann', whitelisted: true }], unreadable: ['ops'] })
  expect(value?.items[0]?.op ?? null).toBeNull()
})

test('what exaroton refuses is a sentence', async () => {
  const { call, view, host, server, at, ref } = await signedIn({ shared: true })
  const sentence = async () => (await view('files.list', { ...at, query: { path: '' } }, true)).problem
  server.allows = (asked) => !asked.startsWith('files/')
  expect(await sentence()).toMatchObject({ code: 'forbidden', serviceCode: 'exaroton.forbidden' })
  host.instead = () => ({ status: 403, html: '<html>Just a moment…</html>' })
  expect(await sentence()).toMatchObject({ code: 'service-failed', serviceCode: 'exaroton.page' })
  host.instead = () => ({ status: 200, body: { success: false, error: 'In\nthe queue', data: null } })
  expect(await sentence()).toMatchObject({
    code: 'conflict',
    message: 'exaroton refused: “In the queue” Look at the server at exaroton.com.',
  })
  const read = problemOf(call('files.read-text', { ...ref, path: 'a.json' }))
  expect(await read, 'no refusal is taken for a file').toMatchObject({ code: 'conflict' })
  host.instead = () => ({ status: 200, body: { success: true, error: null, data: { name: 5 } } })
  expect(await sentence()).toMatchObject({ serviceCode: 'exaroton.unreadable' })
  host.instead = () => ({ status: 429, html: '<html>', headers: { 'retry-after': '2' } })
  expect(await sentence()).toMatchObject({ code: 'rate-limited', retryAfter: 2 })
  host.instead = null
  const wrong = call('connections.use-token', { baseUrl: host.base, token: 'wrong' })
  expect(await problemOf(wrong)).toMatchObject({ code: 'invalid' })
})

test('exaroton is recognized by its name, without a request', async () => {
  const { call, host } = await signedIn()
  const before = host.seen.length
  const typed = ['exaroton.com', 'https://exaroton.com/server/x', 'http://www.exaroton.com', 'me.exaroton.me']
  for (const baseUrl of typed)
    expect(await call('connections.recognize', { baseUrl })).toBe('https://api.exaroton.com/v1')
  expect(await call('connections.recognize', { baseUrl: `${host.base}x` })).toBeNull()
  expect(host.seen.slice(before).every(({ authorization }) => authorization === null)).toBe(true)
})
