import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import { plainFront } from '../../../tests/doubles/services/plain-front.ts'
import type { CopyState } from '../../contract/bridge/copy-calls.ts'
import type { Connection } from '../../contract/bridge/values.ts'
import { ApiClient } from '../api/client.ts'
import { makeDispatcher } from '../api/requests/transport.ts'
import { systemClock } from '../base/retry.ts'
import { noLog } from '../logging/log.ts'
import { problemsWith } from '../logging/to-problem.ts'
import { Databases } from '../storage/databases.ts'
import { openCache } from '../views/cache/cache.ts'
import { Copies } from './copies.ts'
import { CopyPlans } from './copy-plans.ts'

export interface Line {
  baseUrl: string
  token: string
}

/** A folder that is gone after the test. */
export async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copies-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Request {
  method: string
  path: string
  /** How many files were read by now. */
  reads: number
}

/** A front of a service that counts which files are read. */
export async function countedAt({ baseUrl, token }: Line, onAsked: (asked: Request) => void = () => {}) {
  const read: string[] = []
  const front = await plainFront(baseUrl, undefined, ({ method, path, file }) => {
    if (method === 'GET' && path.startsWith('/servers/files/content/')) read.push(file ?? '')
    onAsked({ method, path, reads: read.length })
  })
  onTestFinished(() => front.close())
  return { line: { baseUrl: front.baseUrl, token }, read }
}

function toldStates() {
  const told: CopyState[] = []
  const waits = new Set<() => void>()
  return {
    told,
    tell(state: CopyState): void {
      told.push(state)
      for (const check of waits) check()
    },
    /** Waits until a state, past or to come, is as wanted. */
    until: (wanted: (state: CopyState) => boolean, from = 0): Promise<CopyState> =>
      new Promise((resolve) => {
        const check = () => {
          const found = told.slice(from).find(wanted)
          if (!found) return
          waits.delete(check)
          resolve(found)
        }
        waits.add(check)
        check()
      }),
  }
}

/** The copies of a panel whose data folder is `dataDir`, signed in at a service. `id`: of its connection. */
export async function openCopies(line: Line, dataDir: string, id = 'c') {
  let now = Date.now()
  let isReady = true
  const dispatcher = makeDispatcher({ envProxy: false })
  const client = new ApiClient({ baseUrl: line.baseUrl, dispatcher, token: async () => line.token })
  const cache = await openCache(join(dataDir, 'cache.db'), new Databases())
  const plans = new CopyPlans(cache, () => now)
  const notes: string[] = []
  const { told, tell, until } = toldStates()
  const copies = new Copies({
    ...{
      plans,
      root: join(dataDir, 'copies'),
      log: noLog,
      toProblem: problemsWith(noLog),
      hasFolders: false,
    },
    connection: (wanted) =>
      wanted === id
        ? ({
            id,
            kind: 'service',
            baseUrl: line.baseUrl,
            state: { kind: isReady ? 'ready' : 'signed-out' },
          } as Connection)
        : null,
    client: () => client,
    clock: { ...systemClock, now: () => now },
    tell: (_server, state) => tell(state),
    note: ({ message }) => void notes.push(message),
  })
  const close = async () => {
    await copies.leave(null)
    await dispatcher.destroy()
    await cache.close().catch(() => undefined)
  }
  onTestFinished(close)
  return {
    ...{ copies, plans, notes, told, until, close, dispatcher },
    server: (serverId: string) => ({ connectionId: id, serverId }),
    get now(): number {
      return now
    },
    set now(ms: number) {
      now = ms
    },
    get isReady(): boolean {
      return isReady
    },
    set isReady(is: boolean) {
      isReady = is
    },
    /** Makes a copy now; answers the state after it. */
    async copy(serverId: string): Promise<CopyState> {
      const from = told.length
      await copies.begin({ connectionId: id, serverId })
      await until(({ running }) => running !== null, from)
      const at = told.findIndex(({ running }, index) => index >= from && running !== null)
      return await until(({ running }) => running === null, at)
    },
    async pathOf(serverId: string, copy: number): Promise<string> {
      const server = { connectionId: id, serverId }
      const { copies: all } = await copies.state(server)
      return await copies.pathOf(server, all[copy]?.id ?? '')
    },
  }
}

/** Texts of all files below a folder, by their paths. */
export async function texts(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const pairs = await Promise.all(
    files.map(async (file) => [relative(folder, file), await readFile(file, 'utf8')] as const),
  )
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}
