import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { ManagementStandIn, SECRET } from '../../../tests/doubles/management.ts'
import { OnlinePlayers, type PlayerNews } from '../runtime/online-players.ts'
import type { ManagementSettings } from '../worlds/server-properties.ts'
import { LINK_TUNING, type LinkTuning, ManagementLink } from './management-link.ts'

const STEVE = { id: '069a79f4-44e9-4726-a5be-fca90e38aaf5', name: 'Steve' }
const ALEX = { id: '61699b2e-d327-4a01-9f1e-0ea8c3f06bc6', name: 'Alex' }
const EVE = { id: '11111111-2222-3333-4444-555555555555', name: '.Eve' }

/** Short pauses, as a test can wait for them. */
const QUICK: LinkTuning = { ...LINK_TUNING, retryFirstMs: 20, retryMostMs: 100 }

async function link(options: { tuning?: Partial<LinkTuning>; settings?: () => ManagementSettings } = {}) {
  const server = await ManagementStandIn.start()
  const online = new OnlinePlayers(20)
  const news: PlayerNews[] = []
  online.news.on((one) => news.push(one))
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line) => void logged.push(line) })
  const { port } = server
  const on = () => ({ kind: 'on', host: '127.0.0.1', port, secret: SECRET, origin: null }) as const
  let reads = 0
  const settings = () => ((reads += 1), Promise.resolve((options.settings ?? on)()))
  const it = new ManagementLink({ settings, online, log }, { ...QUICK, ...options.tuning })
  onTestFinished(async () => {
    it.close()
    await server.close()
  })
  return {
    ...{ server, online, news, logged, link: it },
    names: () => online.all.names?.toSorted(),
    ready: () => expect.poll(() => it.isReady).toBe(true),
    reads: () => reads,
  }
}

test('who is on comes from the protocol, and who joins and leaves; the output is heeded again when it is gone', async () => {
  const { server, online, news, names, ready, link: it } = await link()
  online.heard({ kind: 'joined', name: 'Ghost' })
  server.online = [STEVE]
  await ready()
  expect(names()).toEqual(['Steve'])
  server.join(EVE)
  await expect.poll(names).toEqual(['.Eve', 'Steve'])
  // The output says the same, and things of its own.
  online.heard({ kind: 'joined', name: '.Eve' })
  online.heard({ kind: 'joined', name: 'Nobody' })
  server.leave(STEVE)
  await expect.poll(names).toEqual(['.Eve'])
  expect(news).toEqual([
    { kind: 'joined', name: 'Ghost' },
    { kind: 'left', name: 'Ghost' },
    { kind: 'known', name: 'Steve', uuid: STEVE.id },
    { kind: 'joined', name: 'Steve' },
    { kind: 'known', name: '.Eve', uuid: EVE.id },
    { kind: 'joined', name: '.Eve' },
    { kind: 'left', name: 'Steve' },
  ])
  it.close()
  online.heard({ kind: 'joined', name: 'Alex' })
  expect(names()).toEqual(['.Eve', 'Alex'])
})

test('after a connection breaks it is opened again, and what was missed in between is made up for', async () => {
  const { server, names, ready } = await link()
  server.online = [STEVE]
  await ready()
  server.online = [ALEX]
  server.hangUp()
  await expect.poll(names).toEqual(['Alex'])
})

test('a secret that is refused is never logged, and is tried again ever more seldom', async () => {
  const { server, logged, link: it } = await link({ tuning: { retryFirstMs: 5, retryMostMs: 40 } })
  server.hangUp()
  server.secret = 'another'.padEnd(40, 'x')
  server.hangUp()
  await expect.poll(() => server.askers.length).toBeGreaterThan(4)
  expect(it.isReady).toBe(false)
  const words = logged.join('')
  expect(words).toContain('it refused the secret')
  expect(words).not.toContain(SECRET)
  expect(words.split('it refused the secret')).toHaveLength(2)
  expect(server.askers.at(-1)).toEqual({ authorization: `Bearer ${SECRET}`, origin: undefined })
})

test('settings that cannot be used are said once and not tried', async () => {
  const why = 'management-server-tls-enabled is not false'
  const { logged, reads, server } = await link({ settings: () => ({ kind: 'unusable', why }) })
  await expect.poll(() => logged.join('')).toContain(why)
  expect([reads(), server.askers]).toEqual([1, []])
})

test.each(['garbage', 'huge', 'silent', 'unknown-method', 'closes-before'] as const)(
  'a server that is %s when it is asked who is on is not used, and tried again',
  async (fault) => {
    const { server, names, ready, link: it, online } = await link({ tuning: { readMs: 300 } })
    server.faults.set('minecraft:players', fault)
    server.hangUp()
    await expect.poll(() => server.calls.length).toBeGreaterThan(1)
    expect(it.isReady).toBe(false)
    online.heard({ kind: 'joined', name: 'Alex' })
    expect(names()).toEqual(['Alex'])
    server.faults.clear()
    server.online = [STEVE]
    await ready()
    expect(names()).toEqual(['Steve'])
  },
)

test('what is not known or not JSON changes nothing and breaks nothing', async () => {
  const { server, names, ready, link: it } = await link()
  server.online = [STEVE]
  await ready()
  server.say('no json')
  server.say(new Uint8Array([1, 2, 3]))
  server.say('[{"id":1}]')
  server.say('{"jsonrpc":"2.0","id":1,"result":[]}')
  server.say('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
  const joined = 'minecraft:notification/players/joined'
  for (const params of [null, [], {}, [{ name: 'a b' }], [{ id: ALEX.id }], [[ALEX]], 'Alex'])
    server.notify(joined, params)
  server.notify('minecraft:notification/server/saved', [])
  server.notify(joined, { player: ALEX })
  await expect.poll(names).toEqual(['Alex', 'Steve'])
  expect(it.isReady).toBe(true)
})

test('of a burst of notifications the last word is asked for as a whole', async () => {
  const { server, online, news, ready } = await link()
  await ready()
  for (let at = 0; at < 3000; at++) {
    const player = { id: STEVE.id, name: `Player_${at % 500}` }
    server.notify(`minecraft:notification/players/${at % 2 ? 'joined' : 'left'}`, [player])
  }
  server.online = [ALEX, EVE]
  await expect.poll(() => online.all.names?.toSorted()).toEqual(['.Eve', 'Alex'])
  // Fifty a second, each said with their uuid and gone again, for the seconds that the burst is read in.
  expect(news.length).toBeLessThan(2000)
})

test('a call is answered, refused, unsent or lost, and never throws', async () => {
  const { server, ready, link: it } = await link({ tuning: { limits: { ...QUICK.limits, pending: 2 } } })
  await ready()
  expect(await it.call('minecraft:bans', [])).toEqual({ kind: 'answered', result: [] })
  expect(await it.call('minecraft:dance', [])).toEqual({
    ...{ kind: 'refused', untouched: true, words: 'Method not found' },
  })
  server.faults.set('minecraft:bans', 'internal-error')
  expect(await it.call('minecraft:bans', [])).toMatchObject({ kind: 'refused', untouched: false })
  server.faults.set('minecraft:bans', 'silent')
  const called = await Promise.all([1, 2, 3].map(() => it.call('minecraft:bans', [], 200)))
  expect(called.map(({ kind }) => kind)).toEqual(['lost', 'lost', 'unsent'])
  expect(await it.call('minecraft:bans', [])).toEqual({ kind: 'unsent' })
  await ready()
  server.faults.set('minecraft:bans', 'closes-after')
  expect(await it.call('minecraft:bans', [])).toEqual({ kind: 'lost' })
})
