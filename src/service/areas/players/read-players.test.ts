import { execFileSync } from 'node:child_process'
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { offlineUuid } from '../../../host/offline-uuid.ts'
import { ALEX, PlayersFixture, STEVE } from './players.fixture.ts'

const custom = (values: object) => ({ stats: { 'minecraft:custom': values }, DataVersion: 1 })

test('a list tells everybody that the files of a server name, each once, with what they say', async () => {
  const it = await PlayersFixture.start()
  await it.write('usercache.json', [
    { name: 'Steve', uuid: STEVE.toUpperCase(), expiresOn: '2026-12-01 10:00:00 +0100' },
    { name: '.Rock_1', uuid: '00000000-0000-0000-0009-01f2c3d4e5f6', expiresOn: 'soon' },
  ])
  await it.write('ops.json', [{ uuid: STEVE, name: 'Steve', level: 4, bypassesPlayerLimit: false }])
  await it.write('whitelist.json', [{ uuid: STEVE.replaceAll('-', ''), name: 'Steve' }])
  await it.write('banned-players.json', [
    {
      ...{ uuid: ALEX, name: 'Alex', created: '2026-01-02 03:04:05 +0000', source: 'Server' },
      ...{ expires: 'forever', reason: 'loud\n\u001b[31mred' },
    },
    {
      ...{ uuid: offlineUuid('Past'), name: 'Past', created: '2020-01-01 00:00:00 +0000', source: 'x' },
      ...{ expires: '2020-01-02 00:00:00 +0000', reason: 'over' },
    },
  ])
  await it.write(`world/playerdata/${STEVE}.dat`, 'x')
  await utimes(path.join(it.folder, `world/playerdata/${STEVE}.dat`), 1e9, 1.7e9)
  const items = await it.items('players/ID?limit=100')
  expect(items.map(({ name }) => name)).toEqual(['.Rock_1', 'Alex', 'Steve'])
  expect(items[2]).toMatchObject({
    ...{ uuid: STEVE, online: false, op: true, whitelisted: true, banned: null },
    lastSeen: '2026-11-01T09:00:00.000Z',
  })
  expect(items[1].banned).toEqual({ reason: 'loud [31mred', since: '2026-01-02T03:04:05.000Z', until: null })
})

test('a list that is damaged hides nobody whom another file names', async () => {
  const it = await PlayersFixture.start()
  await it.write('whitelist.json', [
    { uuid: STEVE, name: 'Steve' },
    ...[7, null, { uuid: 5, name: 'x y' }, { name: 'a\u001bb' }, []],
  ])
  for (const damage of ['{', '[[', '"', 'null', '{}', '\u0000', '['.repeat(100_000)]) {
    await it.write('ops.json', damage)
    await it.write('usercache.json', damage)
    expect((await it.items('players/ID')).map(({ name }) => name)).toEqual(['Steve'])
  }
  await mkdir(path.join(it.folder, 'banned-players.json'))
  expect(await it.items('players/ID')).toHaveLength(1)
})

const UNREADABLE: readonly [string, (file: string, it: PlayersFixture) => Promise<unknown>][] = [
  ['cut off', (file, it) => it.write(file, `[{"uuid":"${STEVE}","name":"Steve"},{"uu`)],
  ['cut off at its very beginning', (file, it) => it.write(file, '')],
  ['zeroed', (file, it) => it.write(file, Buffer.alloc(300))],
  ['no list', (file, it) => it.write(file, { Steve: STEVE })],
  ['of another kind', (file, it) => it.write(file, Buffer.from('[]', 'utf16le'))],
  ['with comments', (file, it) => it.write(file, '[] // nobody')],
  ['of entries that name nobody', (file, it) => it.write(file, [7, { uuid: 5, name: 'x y' }])],
  ['too large', (file, it) => it.write(file, `[${' '.repeat(5 * 1024 * 1024)}]`)],
  ['a folder', (file, it) => mkdir(path.join(it.folder, file))],
  ['a pipe', async (file, it) => execFileSync('mkfifo', [path.join(it.folder, file)])],
  ['a link to somewhere else', (file, it) => symlink('/etc/passwd', path.join(it.folder, file))],
]

test.each(UNREADABLE)(
  'a list that is %s is reported as unreadable, and nobody is said to be on it or not',
  async (_, damage) => {
    const it = await PlayersFixture.start()
    await it.write(`world/playerdata/${STEVE}.dat`, 'x')
    const read = async () => (await it.call('GET', 'players/ID')).body
    expect(await read()).toMatchObject({ items: [{ op: false, whitelisted: false, banned: null }] })
    expect(await read()).not.toHaveProperty('unreadable')
    const lists = [
      ['whitelist', 'whitelist.json'],
      ['ops', 'ops.json'],
      ['bans', 'banned-players.json'],
      ['usercache', 'usercache.json'],
    ] as const
    for (const [at, [list, file]] of lists.entries()) {
      await damage(file, it)
      const { items, unreadable } = await read()
      expect([list, unreadable]).toEqual([list, lists.slice(0, at + 1).map(([name]) => name)])
      expect(items).toHaveLength(1)
    }
    expect((await read()).items).toMatchObject([{ op: null, whitelisted: null, banned: null }])
  },
)

test('the good entries of a list are shown, and bad ones make it unreadable in part', async () => {
  const it = await PlayersFixture.start()
  await it.write('ops.json', [
    { uuid: STEVE, name: 'Steve', level: 4 },
    7,
    { uuid: 'no uuid', name: 'what a name' },
  ])
  await it.write('whitelist.json', [{ uuid: ALEX, name: 'Alex' }])
  const { items, unreadable } = (await it.call('GET', 'players/ID')).body
  expect(unreadable).toEqual(['ops'])
  expect(items).toMatchObject([
    { name: 'Alex', op: null, whitelisted: true },
    { name: 'Steve', op: true, whitelisted: false },
  ])
})

test('a byte order mark is skipped, as in the game', async () => {
  const it = await PlayersFixture.start()
  for (const file of ['usercache.json', 'ops.json', 'whitelist.json', 'banned-players.json'])
    await it.write(file, `\ufeff${JSON.stringify([{ uuid: STEVE, name: 'Steve', expires: 'forever' }])}`)
  const { items, unreadable } = (await it.call('GET', 'players/ID')).body
  expect(items).toMatchObject([{ name: 'Steve', op: true, whitelisted: true, banned: {} }])
  expect(unreadable).toBe(undefined)
  // Changing the list keeps its entries.
  expect((await it.act({ action: 'op', names: ['Alex'] })).body.results).toMatchObject([{ outcome: 'done' }])
  expect((await it.items('players/ID')).filter(({ op }) => op).map(({ name }) => name)).toEqual([
    'Alex',
    'Steve',
  ])
})

test('players keep the names in their list, with symbols, prefixes and spaces', async () => {
  const it = await PlayersFixture.start()
  const names = [
    'Yoooo+',
    'my-name',
    '*The Guy123',
    '-Prefix',
    'The Guy 123',
    '.\u041c\u0430\u0448\u0430',
    'a!"#$%&\'()=~',
  ]
  await it.write(
    'whitelist.json',
    names.map((name, at) => ({ uuid: `00000000-0000-0000-0009-01f64f65c7${at}0`, name })),
  )
  expect((await it.items('players/ID')).map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  const { body } = await it.act({ action: 'op', names })
  expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(names.map(() => 'done'))
  expect(((await it.readJson('ops.json')) as { name: string }[]).map(({ name }) => name)).toEqual(names)
})

test('whatever stands in the place of a file is passed over, without waiting for it', async () => {
  const it = await PlayersFixture.start()
  await it.write('whitelist.json', [{ uuid: STEVE, name: 'Steve' }])
  execFileSync('mkfifo', [path.join(it.folder, 'ops.json')])
  await it.write('usercache.json', `[${' '.repeat(9 * 1024 * 1024)}]`)
  await it.write('server.properties', `level-name=${'x'.repeat(300 * 1024)}`)
  await it.write(`world/stats/${STEVE}.json`, ' '.repeat(2 * 1024 * 1024))
  execFileSync('mkfifo', [path.join(it.folder, `world/stats/${ALEX}.json`)])
  expect((await it.items('players/ID')).map(({ name }) => name)).toEqual(['Steve'])
  expect(await it.items('players/stats/ID')).toEqual([])
  expect((await it.act({ action: 'op', names: ['Steve'] })).body.error.code).toBe('players.list-damaged')
})

test('of statistics that are damaged or too large nobody is told that there are none', async () => {
  const it = await PlayersFixture.start()
  const file = `world/stats/${STEVE}.json`
  const one = () => it.call('GET', `players/stats/ID?uuid=${STEVE}`)
  expect((await one()).body.items).toEqual([])
  for (const damage of ['{"stats":{', '[]', ' '.repeat(2 * 1024 * 1024)]) {
    await it.write(file, damage)
    const { status, body } = await one()
    expect([status, body.error?.code]).toEqual([409, 'players.stats-damaged'])
  }
  await it.write(file, { stats: { 'minecraft:custom': { 'minecraft:deaths': 3 } } })
  expect((await one()).body.items).toMatchObject([{ deaths: 3 }])
})

test('pages of a list neither miss a player nor show one twice', async () => {
  const it = await PlayersFixture.start()
  const names = Array.from({ length: 45 }, (_, at) => `Player_${at}`)
  await it.write(
    'whitelist.json',
    names.map((name) => ({ name, uuid: offlineUuid(name) })),
  )
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await it.call('GET', `players/ID?limit=7${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.items.map(({ name }: { name: string }) => name))
    cursor = body.nextCursor
  }
  expect(seen.toSorted()).toEqual(names.toSorted())
  expect((await it.call('GET', 'players/ID?cursor=zzz')).body.error.code).toBe('request.invalid')
})

test('statistics are told in human units, of every version that ever wrote them', async () => {
  const it = await PlayersFixture.start()
  await it.write('server.properties', 'level-name=my\\ world\nonline-mode=true\n')
  const [newer, older, oldest] = [STEVE, ALEX, offlineUuid('Old')]
  await it.write('usercache.json', [{ name: 'Steve', uuid: STEVE, expiresOn: '2026-12-01 10:00:00 +0000' }])
  await it.write(`my world/stats/${newer}.json`, {
    stats: {
      'minecraft:custom': {
        ...{ 'minecraft:play_time': 72_000, 'minecraft:deaths': 3, 'minecraft:mob_kills': 40 },
        ...{ 'minecraft:player_kills': 1, 'minecraft:walk_one_cm': 150_000, 'minecraft:fly_one_cm': 50_000 },
      },
      'minecraft:mined': { 'minecraft:stone': 90, 'minecraft:dirt': 10 },
    },
  })
  await it.write(`my world/stats/${older}.json`, custom({ 'minecraft:play_one_minute': 1200 }))
  await it.write(`my world/stats/${oldest}.json`, {
    ...{ 'stat.playOneMinute': 2400, 'stat.deaths': 2, 'stat.walkOneCm': 700 },
    ...{ 'stat.mineBlock.minecraft.stone': 5, 'achievement.openInventory': 1 },
  })
  await it.write(`my world/stats/${offlineUuid('Broken')}.json`, '{"stats": {"minecraft:custom":')
  await it.write(`my world/stats/${offlineUuid('Odd')}.json`, custom({ 'minecraft:deaths': -5 }))
  await it.write('my world/stats/notes.txt.json', 'nobody')
  const items = await it.items('players/stats/ID')
  const of = (uuid: string) => items.find((one) => one.uuid === uuid)
  expect(items).toHaveLength(4)
  expect(of(newer)).toEqual({
    ...{ name: 'Steve', uuid: newer, playTimeSeconds: 3600, deaths: 3, mobKills: 40, playerKills: 1 },
    ...{ blocksMined: 100, distanceMetres: 2000 },
  })
  expect(of(older)).toMatchObject({ playTimeSeconds: 60, name: older })
  expect(of(oldest)).toMatchObject({ playTimeSeconds: 120, deaths: 2, blocksMined: 5, distanceMetres: 7 })
  expect(of(offlineUuid('Odd'))).toMatchObject({ playTimeSeconds: null, deaths: 0 })
  const [one] = await it.items(`players/stats/ID?uuid=${newer}`)
  expect(one.groups['minecraft:mined']).toEqual({ 'minecraft:stone': 90, 'minecraft:dirt': 10 })
  expect(await it.items('players/stats/ID?uuid=nobody')).toEqual([])
})

test('the place of statistics since 26.1 goes before the older one, and what changes is read again', async () => {
  const it = await PlayersFixture.start()
  await it.write(`world/stats/${STEVE}.json`, custom({ 'minecraft:deaths': 1 }))
  expect(await it.items('players/stats/ID')).toMatchObject([{ deaths: 1 }])
  await it.write(`world/players/stats/${STEVE}.json`, custom({ 'minecraft:deaths': 2 }))
  expect(await it.items('players/stats/ID')).toMatchObject([{ deaths: 2 }])
  await it.write(`world/players/stats/${STEVE}.json`, custom({ 'minecraft:deaths': 33 }))
  expect(await it.items('players/stats/ID')).toMatchObject([{ deaths: 33 }])
})

test('nothing outside of the server’s folder is read, whatever its settings and links say', async () => {
  const it = await PlayersFixture.start()
  const outside = await temporaryFolder()
  await mkdir(path.join(outside, 'stats'))
  await writeFile(
    path.join(outside, 'stats', `${STEVE}.json`),
    JSON.stringify(custom({ 'minecraft:deaths': 7 })),
  )
  await writeFile(path.join(outside, 'list.json'), JSON.stringify([{ uuid: STEVE, name: 'Steve' }]))
  await symlink(path.join(outside, 'list.json'), path.join(it.folder, 'whitelist.json'))
  await symlink(outside, path.join(it.folder, 'world'))
  for (const level of ['world', outside, `../../../${path.basename(outside)}`, '..', '/', 'a\\u0000']) {
    await it.write('server.properties', `level-name=${level}\n`)
    expect(await it.items('players/stats/ID')).toEqual([])
    expect(await it.items(`players/stats/ID?uuid=${STEVE}`)).toEqual([])
    expect(await it.items('players/ID')).toEqual([])
  }
})

test('sessions are taken out of the server’s own logs, packed or not, with the day each line is of', async () => {
  const it = await PlayersFixture.start()
  const log = (lines: string[]) => lines.map((line) => `${line}\n`).join('')
  const at = (time: string, text: string) => `[${time}] [Server thread/INFO]: ${text}`
  await it.write(
    'logs/2026-03-01-1.log.gz',
    gzipSync(
      log([
        at('22:00:00', 'Done (3.2s)! For help, type "help"'),
        `[22:59:59] [User Authenticator #1/INFO]: UUID of player Steve is ${STEVE}`,
        at('23:00:00', 'Steve joined the game'),
        at('23:10:00', '<Alex> Eve joined the game'),
        'at net.minecraft.Thing (Thing.java:5)',
        at('00:30:00', 'Steve left the game'),
        at('01:00:00', 'Alex joined the game'),
        at('01:20:00', 'Stopping server'),
      ]),
    ),
  )
  await it.write(
    'logs/2026-03-02-1.log.gz',
    gzipSync(log([at('09:00:00', 'Alex joined the game')])).subarray(0, 20),
  )
  await it.write('logs/latest.log', log([at('23:50:00', 'Alex joined the game'), at('00:10:00', 'Bye')]))
  await utimes(path.join(it.folder, 'logs/latest.log'), 0, new Date(2026, 2, 5, 0, 10, 30))
  const local = (day: number, hours: number, minutes = 0) =>
    new Date(2026, 2, day, hours, minutes).toISOString()
  const found = await it.items('players/sessions/ID?limit=50')
  expect(found).toEqual([
    { name: 'Alex', uuid: offlineUuid('Alex'), joinedAt: local(4, 23, 50), leftAt: local(5, 0, 10) },
    { name: 'Alex', uuid: offlineUuid('Alex'), joinedAt: local(2, 1), leftAt: local(2, 1, 20) },
    { name: 'Steve', uuid: STEVE, joinedAt: local(1, 23), leftAt: local(2, 0, 30) },
  ])
  // Asked again nothing is there twice.
  expect(await it.items(`players/sessions/ID?uuid=${STEVE}`)).toEqual([found[2]])
  expect(await it.items('players/ID')).toMatchObject([
    { name: 'Alex', firstSeen: local(2, 1), lastSeen: local(5, 0, 10) },
    { name: 'Steve', uuid: STEVE, firstSeen: new Date(2026, 2, 1, 22, 59, 59).toISOString() },
  ])
})

test('visits in logs are found by the same lines as in the console', async () => {
  const it = await PlayersFixture.start()
  const at = (time: string, text: string) => `[${time}] [Server thread/INFO]: ${text}\n`
  const lines = [
    `[09:00:00] [User Authenticator #1/INFO]: UUID of player The Guy is ${ALEX}\n`,
    at('10:00:00', 'Alex[/192.0.2.5:50123] logged in with entity id 261 at ([world]1.5, 64.0, 8.5)'),
    at('10:00:00', '[+] Alex'),
    `>....\r${at('10:01:00', 'Newname (formerly known as Oldname) joined the game')}`,
    at('10:02:00', 'The Guy[/192.0.2.6:50123] logged in with entity id 262'),
    at('10:02:01', 'The Guy joined the game'),
    at('10:03:00', '.The Guy 123 joined the game\u001b[K'),
    at('11:00:00', 'Alex lost connection: Timed out'),
    at('11:01:00', 'The Guy lost connection: Disconnected'),
    at('11:01:01', 'The Guy left the game'),
    at(
      '11:02:00',
      'com.mojang.authlib.GameProfile@1a[id=<null>,name=Newname] (/192.0.2.7:1) lost connection: Bye',
    ),
    at('12:00:00', 'Stopping server'),
  ]
  await it.write('logs/2026-03-01-1.log.gz', gzipSync(lines.join('')))
  const visits: unknown[] = []
  let cursor = ''
  for (let pages = 0; pages < 10; pages++) {
    const { body } = await it.call('GET', `players/sessions/ID?limit=1${cursor && `&cursor=${cursor}`}`)
    visits.push(...body.items)
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  const visit = (name: string, uuid: string | null, joined: [number, number], left: [number, number]) => ({
    ...{ name, uuid },
    joinedAt: new Date(2026, 2, 1, ...joined).toISOString(),
    leftAt: new Date(2026, 2, 1, ...left).toISOString(),
  })
  expect(visits).toEqual([
    visit('.The Guy 123', null, [10, 3], [12, 0]),
    visit('The Guy', ALEX, [10, 2], [11, 1]),
    visit('Newname', offlineUuid('Newname'), [10, 1], [12, 0]),
    visit('Alex', offlineUuid('Alex'), [10, 0], [11, 0]),
  ])
})
