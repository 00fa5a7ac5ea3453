import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Transfer, Transfers } from '../../contract/bridge/transfer-values.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { startTestService, type TestService } from '../../service/service.fixture.ts'
import type { ServiceOptions } from '../../service/service.ts'
import { ApiClient } from '../api/client.ts'
import { makeDispatcher } from '../api/requests/transport.ts'
import { PanelProblem, problemOf } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import type { Databases } from '../storage/databases.ts'
import { noLog } from '../logging/log.ts'
import { openTransfers } from './open.ts'
import type { TransferManager } from './transfers.ts'

/** A folder that is gone after the test. */
export async function temporary(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'transfers-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface Target {
  service: TestService
  token: string
  serverId: string
  /** The server's folder on this computer. */
  folder: string
}

/** The real service with one account and one server. */
export async function startTarget(options: Partial<ServiceOptions> = {}): Promise<Target> {
  const service = await startTestService(options)
  const token = await service.account('ann@example.com')
  const made = await service.call('POST /servers', {
    token,
    body: { name: 'World', software: { id: 'demo', version: '1.21.1' }, memoryMb: 512 },
  })
  if (made.status !== 201) throw new Error(`no server: ${JSON.stringify(made.body)}`)
  const serverId = made.body.id as string
  const folder = await findFolder(service.service.dataDir, serverId)
  return { service, token, serverId, folder }
}

async function findFolder(dataDir: string, serverId: string): Promise<string> {
  for (const name of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (name.isDirectory() && name.name === serverId) return path.join(name.parentPath, name.name)
  throw new Error('the server has no folder')
}

export interface TransfersFixture {
  room: TransferManager
  folder: string
  downloads: string
  /** Every event, in order. */
  told: Transfers[]
  /** Waits until an event, past or coming, shows a transfer as wanted. */
  until(wanted: (transfer: Transfer) => boolean): Promise<Transfer>
  close(): Promise<void>
}

export interface Line {
  baseUrl: string
  token: string
}

export interface OpenOptions {
  dataDir?: string
  downloads?: string
  timeoutMs?: number
  databases?: Databases
  clock?: Clock
}

/** The real queue over its real workers and files; connections by their id. Closed after the test. */
export async function openRoom(
  lines: Record<string, Line>,
  options: OpenOptions = {},
): Promise<TransfersFixture> {
  const folder = options.dataDir ?? (await temporary())
  const downloads = options.downloads ?? path.join(await temporary(), 'Downloads')
  const dispatcher = makeDispatcher({ envProxy: false })
  const clients = new Map(
    Object.entries(lines).map(([id, { baseUrl, token }]) => [
      id,
      new ApiClient({
        baseUrl,
        dispatcher,
        token: async () => token,
        timeoutMs: options.timeoutMs ?? 15_000,
      }),
    ]),
  )
  const told: Transfers[] = []
  const waits = new Set<() => void>()
  const { transfers, close } = await openTransfers({
    dataDir: folder,
    downloads: { now: async () => downloads, always: async () => downloads },
    ...(options.databases ? { databases: options.databases } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    client: (id) => {
      const client = clients.get(id)
      if (!client) throw new PanelProblem(problemOf('not-found', localized('account.gone')))
      return client
    },
    log: noLog,
    toProblem: (error) =>
      error instanceof PanelProblem
        ? error.problem
        : problemOf('internal', { message: String((error as Error).stack) }),
    landed: () => {},
    tell: (now) => {
      told.push(now)
      for (const check of waits) check()
    },
  })
  let closed = false
  const end = async () => {
    if (closed) return
    closed = true
    await close()
    await dispatcher.destroy()
  }
  onTestFinished(end)
  await transfers.start()
  return {
    room: transfers,
    folder,
    downloads,
    told,
    close: end,
    until: (wanted) =>
      new Promise((resolve) => {
        const check = () => {
          const found = told.at(-1)?.items.find(wanted)
          if (!found) return
          waits.delete(check)
          resolve(found)
        }
        waits.add(check)
        check()
        void transfers.list().then((now) => {
          told.push(now)
          check()
        })
      }),
  }
}

/** Random bytes under a path. */
export async function put(folder: string, name: string, size: number): Promise<string> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, randomBytes(size))
  return file
}

/** Files below a folder with their contents, by path. What a service keeps for itself is left out. */
export async function tree(folder: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    found.set(path.relative(folder, file), await readFile(file))
  }
  return found
}

/** The hash of every file below a folder: comparing large contents themselves takes a test longer than moving them. */
export async function hashes(folder: string): Promise<Map<string, string>> {
  const sums = [...(await tree(folder))].map(([name, content]): [string, string] => [
    name,
    createHash('sha256').update(content).digest('hex'),
  ])
  return new Map(sums.sort(([a], [b]) => (a < b ? -1 : 1)))
}
