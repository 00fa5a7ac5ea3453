import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { allServerFiles } from '../../files/all-server-files.ts'
import { createRuntime } from '../../runtime/runtime.ts'
import { serverFolders } from '../../files/server-folders.ts'
import { addServer, used } from '../../store/used-folder.fixture.ts'
import { BanEnds } from './ban-ends.ts'
import { PlayerActs } from './player-acts.ts'
import { STEVE } from './players.fixture.ts'
import { ServerPlayers } from './server-players.ts'
import { SessionRecorder } from './session-recorder.ts'

async function openBans() {
  const { dataDir, open, clock } = await used()
  const log = pino({ level: 'silent' })
  const store = await open()
  addServer(store, 'two', 2)
  const runtime = await createRuntime({ dataDir, epoch: 1, software: [], log })
  const folders = serverFolders(dataDir)
  const memory = { maxFileBytes: null, quotaBytes: null }
  const all = allServerFiles({ folders, running: (id) => !runtime.isDown(id), ...memory })
  const recorder = new SessionRecorder(store, runtime, clock, log)
  const players = new ServerPlayers({ all, runtime, store, clock, recorder })
  const acts = new PlayerActs({ players, runtime, store, clock, managements: { of: () => null } })
  const lifted: string[] = []
  const told = (...said: string[]) => void lifted.push(said.join(' '))
  const bans = new BanEnds({ store, players, acts, clock, log, lifted: told })
  onTestFinished(async () => {
    await bans.close()
    recorder.close()
    await runtime.close(true)
    await store.close()
  })
  return { bans, clock, dataDir, folders, lifted, runtime, store }
}

test('where the database cannot be read, bans are looked for again later, and nothing ends by it', async () => {
  const { bans, dataDir } = await openBans()
  using database = new DatabaseSync(path.join(dataDir, 'service.db'))
  database.exec('ALTER TABLE timed_bans RENAME TO others')
  await expect(bans.look()).resolves.toBeUndefined()
})

test('a ban is lifted however many others that cannot be lifted have ended before it', async () => {
  const { bans, clock, folders, lifted, runtime, store } = await openBans()
  const listOf = (id: string) => path.join(folders.of(id), 'banned-players.json')
  for (const [id, port] of [
    ['one', 1],
    ['two', 2],
  ] as const) {
    mkdirSync(folders.of(id), { recursive: true })
    const software = { id: 'demo', version: '1' }
    runtime.add({ id, name: id, folder: folders.of(id), software, memoryMb: 512, port, host: '127.0.0.1' })
  }
  const ban = { uuid: STEVE, name: 'Steve', created: '2025-12-01 00:00:00 +0000', expires: 'forever' }
  writeFileSync(listOf('one'), '{')
  writeFileSync(listOf('two'), JSON.stringify([ban]))
  const ended = { created: ban.created, name: 'Steve', endsAt: clock.now() - 1000 }
  for (let at = 0; at < 230; at++)
    store.players.keepBan({ ...ended, serverId: 'one', uuid: `uuid ${at}`, endsAt: ended.endsAt - (at % 7) })
  store.players.keepBan({ ...ended, serverId: 'two', uuid: STEVE })
  for (let look = 0; look < 3; look++) await bans.look()
  expect(JSON.parse(readFileSync(listOf('two'), 'utf8'))).toEqual([])
  // The others are kept until their list can be read, and then lifted too.
  expect(store.players.bansOf('one')).toHaveLength(230)
  writeFileSync(listOf('one'), '[]')
  for (let look = 0; look < 4; look++) await bans.look()
  expect(store.players.bansOf('one')).toEqual([])
  // What somebody else has lifted was not lifted by the service.
  expect(lifted).toEqual(['two Steve done'])
})
