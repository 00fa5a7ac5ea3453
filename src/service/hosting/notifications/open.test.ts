import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { heldClock, temporaryFolder } from '../../service.fixture.ts'
import { openStore } from '../../store/store.ts'
import { type NotificationParts, openNotifications } from './open.ts'

test('a database that cannot be read when an invitation goes fails nothing but the telling of it', async () => {
  const [file, clock] = [path.join(await temporaryFolder(), 'service.db'), heldClock()]
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line) => void logged.push(line) })
  const store = await openStore(file, { clock })
  onTestFinished(() => store.close())
  const account = { email: null, name: 'Ann', passwordHash: null, confirmedAt: 1, createdAt: 1 }
  store.accounts.insert({ ...account, id: 'ann' })
  store.servers.insert({
    ...{ id: 's', ownerId: 'ann', name: 'Mine', softwareId: 'demo', softwareVersion: '1' },
    ...{ memoryMb: 512, port: 1, createdAt: 1 },
  })
  const runtime = { onStatus: () => () => {}, stops: () => false, diskBytes: () => null }
  const access = { byId: () => null, held: () => null }
  const parts = { store, runtime, access, clock, log, dataDir: path.dirname(file), quotaOf: () => null }
  const told = openNotifications(parts as unknown as NotificationParts)
  onTestFinished(() => told.close())
  const offer = { id: 'i', serverId: 's', email: 'ben@example.org', scopes: [], invitedBy: 'ann' }
  store.sharing.invite({ ...offer, createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER })
  await new Promise((resolve) => setImmediate(resolve))
  expect(logged).toEqual([])
  const damaging = new DatabaseSync(file)
  damaging.exec('ALTER TABLE accounts RENAME COLUMN email TO address')
  damaging.close()
  expect(store.sharing.takeBack('i')).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect(logged.join('')).toContain('no such column: email')
})
