import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { heldClock, temporaryFolder } from '../service.fixture.ts'
import { openStore, type StoreOptions } from './store.ts'

/** A data folder with one server, as a service that ended properly leaves it. */
export async function used() {
  const dataDir = await temporaryFolder()
  const file = path.join(dataDir, 'service.db')
  const clock = heldClock()
  const open = (more: Partial<StoreOptions> = {}) => openStore(file, { clock, ...more })
  const store = await open()
  store.accounts.insert({
    id: 'a',
    email: 'a@b.c',
    name: 'A',
    passwordHash: 'x',
    confirmedAt: 1,
    createdAt: 1,
  })
  store.accounts.insertToken('token', 'a', 1, Number.MAX_SAFE_INTEGER)
  addServer(store, 'one', 1)
  await store.close()
  mkdirSync(path.join(dataDir, 'servers', 'one'), { recursive: true })
  writeFileSync(path.join(dataDir, 'servers', 'one', 'level.dat'), 'years')
  return { dataDir, file, clock, open, copies: () => copiesIn(dataDir) }
}

/** Gives the account of {@link used} a server. */
export const addServer = (store: Awaited<ReturnType<typeof openStore>>, id: string, port: number) =>
  store.servers.insert({
    ...{
      id,
      ownerId: 'a',
      name: id,
      softwareId: 'demo',
      softwareVersion: '1',
      memoryMb: 512,
      port,
      createdAt: 1,
    },
  })

/** Names of the copies in a data folder, the oldest first. */
export const copiesIn = (dataDir: string) =>
  existsSync(path.join(dataDir, 'copies')) ? readdirSync(path.join(dataDir, 'copies')).sort() : []
