import pino from 'pino'
import { expect, test } from 'vitest'
import { Listeners } from '../../base/change.ts'
import type { PlayerNews } from '../../runtime/online-players.ts'
import { used } from '../../store/used-folder.fixture.ts'
import { SessionRecorder } from './session-recorder.ts'

const HOUR = 60 * 60 * 1000
const NEWEST = { joinedAt: Number.MAX_SAFE_INTEGER, name: '' }
const log = pino({ level: 'silent' })

/** A service's database with a server, again and again: each time as a service finds it that starts. */
async function recording() {
  const { open, clock } = await used()
  return {
    clock,
    async start() {
      const store = await open()
      const said = new Listeners<PlayerNews>()
      const runtime = {
        onPlayerNews: (heard: (id: string, news: PlayerNews) => void) => said.on((one) => heard('one', one)),
      }
      const recorder = new SessionRecorder(store, runtime, clock, log)
      return {
        store,
        recorder,
        say: (kind: 'joined' | 'left', name: string) => said.tell({ kind, name }),
        down: () => said.tell({ kind: 'down' }),
        sessions: () => store.players.sessions('one', NEWEST, 30_000),
        async end() {
          recorder.close()
          await store.close()
        },
      }
    },
  }
}

test('who joins and leaves is written down, and who stays until the server ends left with it', async () => {
  const { clock, start } = await recording()
  const it = await start()
  const began = clock.now()
  it.say('joined', 'Alex')
  clock.forward(HOUR)
  it.say('joined', 'Steve')
  it.say('left', 'Alex')
  it.recorder.flush()
  expect(it.sessions()).toEqual([
    { name: 'Steve', joinedAt: began + HOUR, seenAt: began + HOUR, open: true },
    { name: 'Alex', joinedAt: began, seenAt: began + HOUR, open: false },
  ])
  expect([...it.store.players.onSince('one')]).toEqual([['Steve', began + HOUR]])
  clock.forward(HOUR)
  it.down()
  it.recorder.flush()
  expect(it.sessions()[0]).toEqual({
    name: 'Steve',
    joinedAt: began + HOUR,
    seenAt: began + 2 * HOUR,
    open: false,
  })
  await it.end()
})

test('a session of a service that was killed lasts for no longer than it is known to have', async () => {
  const { clock, start } = await recording()
  const killed = await start()
  killed.say('joined', 'Alex')
  killed.recorder.flush()
  clock.forward(100 * HOUR)
  await killed.store.close()
  const it = await start()
  expect(it.sessions()).toMatchObject([{ name: 'Alex', open: false, seenAt: clock.now() - 100 * HOUR }])
  await it.end()
})

test('a program that says of everybody that they joined makes the database grow by a bounded amount', async () => {
  const { clock, start } = await recording()
  const it = await start()
  for (let at = 0; at < 100_000; at++) it.say('joined', `Nobody_${at}`)
  it.recorder.flush()
  expect(it.sessions()).toHaveLength(500)
  clock.forward(1000)
  for (let at = 0; at < 1000; at++) it.say('joined', `Somebody_${at}`)
  it.recorder.flush()
  expect(it.sessions()).toHaveLength(520)
  await it.end()
})

test('of too many sessions and names the oldest go', async () => {
  const { start } = await recording()
  const it = await start()
  const { players } = it.store
  it.store.inOneStep(() => {
    for (let at = 0; at < 20_100; at++) {
      players.fromLog('one', `P${at % 11_000}`, at * 60_000, at * 60_000 + 1)
      players.seen('one', `P${at % 11_000}`, null, at * 60_000)
    }
    players.trimSessions('one')
    players.trimSeen('one')
  })
  expect(it.sessions()).toHaveLength(20_000)
  expect(it.sessions().at(-1)?.joinedAt).toBe(100 * 60_000)
  expect(players.allSeen('one')).toHaveLength(10_000)
  await it.end()
})

test('with a server goes what was written of its players, and what is heard of it then is passed over', async () => {
  const { start } = await recording()
  const it = await start()
  it.say('joined', 'Alex')
  it.recorder.flush()
  it.store.servers.remove('one')
  it.say('joined', 'Steve')
  it.down()
  it.recorder.flush()
  expect(it.sessions()).toEqual([])
  expect(it.store.players.allSeen('one')).toEqual([])
  await it.end()
})
