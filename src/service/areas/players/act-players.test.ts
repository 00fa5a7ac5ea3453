import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { offlineUuid } from '../../../host/offline-uuid.ts'
import { ALEX, PlayersFixture, STEVE } from './players.fixture.ts'

test('while a server is stopped its lists are changed in its files, with a result for each player', async () => {
  const it = await PlayersFixture.start()
  const strange = { uuid: 'no-uuid', name: 'what a name', of: 'a plugin' }
  await it.write('ops.json', [strange, { uuid: ALEX, name: 'Alex', level: 2, bypassesPlayerLimit: true }])
  const { status, body } = await it.act({ action: 'op', names: ['Steve', 'alex', 'no name', 'steve'] })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    running: false,
    results: [
      { name: 'steve', outcome: 'done' },
      { name: 'alex', outcome: 'unchanged' },
      { name: 'no name', outcome: 'failed', error: { code: 'players.unknown' } },
    ],
  })
  expect(await it.readJson('ops.json')).toEqual([
    strange,
    { uuid: ALEX, name: 'Alex', level: 2, bypassesPlayerLimit: true },
    { uuid: offlineUuid('steve'), name: 'steve', level: 4, bypassesPlayerLimit: false },
  ])
  // A name with spaces has no offline UUID.
  expect((await it.act({ action: 'op', names: ['.The Guy'] })).body.results[0].error).toMatchObject({
    ...{ code: 'players.unknown', message: expect.stringContaining('Let them join once') },
  })
  expect((await it.act({ action: 'deop', names: [ALEX] })).body.results).toMatchObject([{ outcome: 'done' }])
  expect(await it.readJson('ops.json')).toHaveLength(2)
  for (const action of ['kick', 'message'])
    expect((await it.act({ action, names: ['Alex'], reason: 'hi' })).body.results).toMatchObject([
      { outcome: 'failed', error: { code: 'players.not-running' } },
    ])
})

test('a ban has its reason and its end in the file, and is lifted there', async () => {
  const it = await PlayersFixture.start()
  await it.write('usercache.json', [{ name: 'Steve', uuid: STEVE, expiresOn: '2026-12-01 10:00:00 +0000' }])
  const until = '2096-03-04T05:06:07.000Z'
  const ban = { action: 'ban', names: ['STEVE'], reason: 'dug "holes"', until }
  expect((await it.act(ban)).body.results).toEqual([{ name: 'STEVE', outcome: 'done' }])
  expect(await it.readJson('banned-players.json')).toMatchObject([
    {
      uuid: STEVE,
      name: 'Steve',
      expires: '2096-03-04 05:06:07 +0000',
      reason: 'dug "holes"',
      source: 'Server',
    },
  ])
  expect(await it.items('players/ID')).toMatchObject([
    { name: 'Steve', banned: { until, reason: 'dug "holes"' } },
  ])
  expect((await it.act(ban)).body.results).toEqual([{ name: 'STEVE', outcome: 'unchanged' }])
  expect((await it.act({ action: 'ban', names: ['Steve'] })).body.results).toMatchObject([
    { outcome: 'done' },
  ])
  expect((await it.act({ action: 'pardon', names: ['Steve'] })).body.results).toMatchObject([
    { outcome: 'done' },
  ])
  expect(await it.readJson('banned-players.json')).toEqual([])
})

test('what makes no sense is refused before anything is changed', async () => {
  const it = await PlayersFixture.start()
  const refused = async (body: object) => {
    const { status, body: answer } = await it.act(body)
    return `${status} ${Object.keys(answer.error?.fields ?? {}).join()}`
  }
  expect(await refused({ action: 'dance', names: ['Steve'] })).toBe('422 action')
  expect(await refused({ action: 'op', names: [] })).toBe('422 names')
  expect(await refused({ action: 'op', names: Array(101).fill('Steve') })).toBe('422 names')
  expect(await refused({ action: 'ban', names: ['Steve'], reason: 'a\nop Eve' })).toBe('422 reason')
  expect(await refused({ action: 'ban', names: ['Steve'], until: '2020-01-01T00:00:00Z' })).toBe('422 until')
  expect(await refused({ action: 'op', names: ['Steve'], until: '2096-01-01T00:00:00Z' })).toBe('422 until')
  expect(await refused({ action: 'message', names: ['Steve'] })).toBe('422 reason')
  await expect(stat(path.join(it.folder, 'ops.json'))).rejects.toThrow('ENOENT')
})

test('a list that is damaged is not written over', async () => {
  const it = await PlayersFixture.start()
  await writeFile(path.join(it.folder, 'ops.json'), '[{"name": "Precious"')
  const { status, body } = await it.act({ action: 'op', names: ['Steve'] })
  expect([status, body.error.code]).toEqual([409, 'players.list-damaged'])
  await expect(it.readJson('ops.json')).rejects.toThrow(SyntaxError)
  await it.write('ops.json', Buffer.alloc(300))
  expect((await it.act({ action: 'op', names: ['Steve'] })).status).toBe(409)
  expect(await readFile(path.join(it.folder, 'ops.json'))).toEqual(Buffer.alloc(300))
})

test('unchanged entries of a list keep their bytes, whatever their encoding', async () => {
  const it = await PlayersFixture.start()
  // Reasons in Latin-1, in UTF-8 and with an escape; a number too large for a double; a duplicate key.
  const [latin1, utf8, escaped] = ['Gest\u00f6rt', '\u00dcbel \ud83d\ude21', String.raw`\u00fcbel`]
  const entry = (name: string, reason: string) =>
    `{"uuid":"${offlineUuid(name)}", "name":"${name}", "created":"2026-11-01 10:00:00 +0000", "reason":"${reason}", "id":12345678901234567890, "x":1, "x":2}`
  const parts = [
    Buffer.from(entry('Steve', latin1), 'latin1'),
    Buffer.from(entry('Eve', utf8)),
    Buffer.from(entry('Bob', escaped)),
  ]
  const whole = parts.flatMap((part, at) => [Buffer.from(at === 0 ? '[' : ' ,\n\t'), part])
  await it.write('banned-players.json', Buffer.concat([...whole, Buffer.from('\n]\r\n')]))
  const bytes = () => readFile(path.join(it.folder, 'banned-players.json'))
  const reasons = async () =>
    Object.fromEntries((await it.items('players/ID')).map(({ name, banned }) => [name, banned?.reason]))
  expect(await reasons()).toEqual({ Steve: latin1, Eve: utf8, Bob: '\u00fcbel' })

  expect(
    (await it.act({ action: 'ban', names: ['Alex'], reason: 'Gr\u00fc\u00dfe' })).body.results,
  ).toMatchObject([{ outcome: 'done' }])
  for (const part of parts) expect((await bytes()).includes(part)).toBe(true)
  expect((await bytes()).includes(Buffer.from('\ufffd'))).toBe(false)
  expect(await reasons()).toEqual({ Steve: latin1, Eve: utf8, Bob: '\u00fcbel', Alex: 'Gr\u00fc\u00dfe' })

  await it.act({ action: 'pardon', names: ['Eve'] })
  expect(await reasons()).toMatchObject({
    Steve: latin1,
    Bob: '\u00fcbel',
    Alex: 'Gr\u00fc\u00dfe',
  })
  expect((await bytes()).includes(parts[0]!)).toBe(true)
  expect((await bytes()).includes(parts[1]!)).toBe(false)
})

test('ten thousand bans are a list like any other, and none is made too large to be read again', async () => {
  const it = await PlayersFixture.start()
  const ban = (at: number, reason: string) => ({
    ...{ uuid: offlineUuid(`Player_${at}`), name: `Player_${at}`, source: 'Server', expires: 'forever' },
    ...{ created: '2026-11-20 18:00:00 +0000', reason },
  })
  const bans = (count: number, reason: string) =>
    JSON.stringify(
      Array.from({ length: count }, (_, at) => ban(at, reason)),
      null,
      2,
    )
  await it.write('banned-players.json', bans(10_000, 'Banned by an operator.'))
  const { body } = await it.act({ action: 'ban', names: ['Griefer'] })
  expect(body.results).toMatchObject([{ outcome: 'done' }])
  expect(await it.readJson('banned-players.json')).toHaveLength(10_001)

  const large = bans(6600, 'x'.repeat(430))
  await it.write('banned-players.json', large)
  const refused = await it.act({
    action: 'ban',
    names: Array.from({ length: 100 }, (_, at) => `Other_${at}`),
    reason: 'y'.repeat(500),
  })
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'players.file-full'])
  expect(await readFile(path.join(it.folder, 'banned-players.json'), 'utf8')).toBe(large)
})

test('of a server that asks who its players are, somebody who was never there has no id to be written', async () => {
  const it = await PlayersFixture.start()
  await it.write('usercache.json', [])
  const { body } = await it.act({ action: 'whitelist-add', names: ['Steve'] })
  // The demo asks nobody: the id follows from the name.
  expect(body.results).toMatchObject([{ outcome: 'done' }])
  expect(await it.readJson('whitelist.json')).toEqual([{ uuid: offlineUuid('Steve'), name: 'Steve' }])
})

test('the whitelist of a stopped server is turned in its settings, where every other byte stays', async () => {
  const it = await PlayersFixture.start()
  const enabled = async () => (await it.call('GET', 'players/whitelist/ID')).body.enabled
  const turn = (on: boolean) => it.call('PUT', 'players/whitelist/ID', { enabled: on })
  const settings = () => readFile(path.join(it.folder, 'server.properties'))
  await rm(path.join(it.folder, 'server.properties'), { force: true })
  expect(await enabled()).toBe(false)
  expect((await turn(true)).body).toEqual({ enabled: true })
  expect((await settings()).toString()).toBe('white-list=true\n')
  expect(await enabled()).toBe(true)
  // Older versions write Latin-1, and people by Windows.
  const around = (line: string) =>
    Buffer.from(`#white-list=x\r\nmotd=Gr\u00fc\u00dfe\r\n${line}\r\nenforce-white-list=false`, 'latin1')
  await it.write('server.properties', around('white-list = false'))
  await turn(true)
  expect(await settings()).toEqual(around('white-list=true'))
  const { ino } = await stat(path.join(it.folder, 'server.properties'))
  await turn(true)
  expect((await stat(path.join(it.folder, 'server.properties'))).ino).toBe(ino)
  await turn(false)
  expect(await settings()).toEqual(around('white-list=false'))
  await it.write('server.properties', Buffer.alloc(300_000, '#'))
  expect(await enabled()).toBe(null)
  const { status, body } = await turn(true)
  expect([status, body.error.code]).toEqual([409, 'players.settings-damaged'])
  expect(await settings()).toHaveLength(300_000)
})

test('many who write the same list at once lose nobody', async () => {
  const it = await PlayersFixture.start()
  const names = Array.from({ length: 20 }, (_, at) => `Player_${at}`)
  await Promise.all(names.map((name) => it.act({ action: 'whitelist-add', names: [name] })))
  const list = (await it.readJson('whitelist.json')) as { name: string }[]
  expect(list.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test('a running server is told by its console, and what it answers is the result', async () => {
  const it = await PlayersFixture.start()
  await it.online()
  const outcomes = async (body: object) => {
    const { body: answer } = await it.act(body)
    return answer.results.map(({ outcome, error }: { outcome: string; error?: { code: string } }) =>
      error ? `${outcome} ${error.code}` : outcome,
    )
  }
  expect(await outcomes({ action: 'op', names: ['Steve', 'Alex'] })).toEqual(['done', 'done'])
  expect(await outcomes({ action: 'op', names: ['Steve', 'Eve'] })).toEqual(['unchanged', 'done'])
  expect(await outcomes({ action: 'deop', names: ['eve'] })).toEqual(['done'])
  expect(await outcomes({ action: 'whitelist-add', names: ['Steve'] })).toEqual(['done'])
  expect(await outcomes({ action: 'whitelist-remove', names: ['Steve', 'Alex'] })).toEqual([
    'done',
    'unchanged',
  ])
  expect(await outcomes({ action: 'kick', names: ['Steve'], reason: 'x' })).toEqual([
    'failed players.refused',
  ])
  expect(await outcomes({ action: 'op', names: ['a b', STEVE] })).toEqual([
    'failed players.name-unknown',
    'failed players.name-unknown',
  ])
  expect((await it.act({ action: 'op', names: ['.The Guy', '@a'] })).body.results).toMatchObject(
    ['.The Guy', '@a'].map((name) => ({
      error: { code: 'players.name-unknown', message: expect.stringContaining(`no name like "${name}"`) },
    })),
  )
  expect(await it.readJson('ops.json')).toMatchObject([{ name: 'Steve' }, { name: 'Alex' }])
  const signs = ['Yoooo+', 'my-name', '*Rock1', 'a(b)$&!']
  expect(await outcomes({ action: 'whitelist-add', names: signs })).toEqual(signs.map(() => 'done'))
  expect(await outcomes({ action: 'whitelist-remove', names: signs })).toEqual(signs.map(() => 'done'))
  // The quoted name is understood, but nobody of that name is online.
  expect(await outcomes({ action: 'kick', names: ['*The Guy'] })).toEqual(['failed players.refused'])
  for (const enabled of [true, true, false]) {
    expect((await it.call('PUT', 'players/whitelist/ID', { enabled })).body).toEqual({ enabled })
    expect((await it.call('GET', 'players/whitelist/ID')).body).toEqual({ enabled })
  }
  // The server's own list knows no end; it is kept beside it, and the ban is lifted when it has come.
  const until = new Date(Date.now() + 1500).toISOString()
  expect(await outcomes({ action: 'ban', names: ['Eve'], reason: 'noise', until })).toEqual(['done'])
  expect((await it.items('players/ID')).find(({ name }) => name === 'Eve').banned).toMatchObject({
    reason: 'noise',
    until,
  })
  expect(await it.readJson('banned-players.json')).toMatchObject([{ name: 'Eve', expires: 'forever' }])
  await expect.poll(() => it.readJson('banned-players.json')).toEqual([])
  const log = () => it.items('activity/ID?area=players&limit=1')
  await expect.poll(log).toMatchObject([
    {
      ...{ action: 'players.ban-ended', what: 'player', target: 'Eve', result: 'done' },
      actor: { id: 'service', service: true },
    },
  ])
})
