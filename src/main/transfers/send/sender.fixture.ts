// For tests: a panel's queue as a process of its own, so that it can be killed. Its orders come as one line of JSON on
// standard input, since a token belongs into no command line.
import { createInterface } from 'node:readline'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/transport.ts'
import { PanelProblem, problemOf } from '../../base/problem.ts'
import { noLog } from '../../logging/log.ts'
import { openTransfers } from '../open.ts'

/** What the process is told. */
export interface Orders {
  dataDir: string
  baseUrl: string
  token: string
  /** Bytes per second. */
  limit: number | null
  /** Absent: it goes on with what is queued. */
  upload?: {
    to: { connectionId: string; serverId: string; folder: string }
    files: { path: string; file: string }[]
  }
}

const [line] = await new Promise<string[]>((resolve) =>
  createInterface(process.stdin).once('line', (text) => resolve([text])),
)
const orders = JSON.parse(line ?? '') as Orders
const { baseUrl, token } = orders
const client = new ApiClient({
  baseUrl,
  dispatcher: makeDispatcher({ envProxy: false }),
  token: async () => token,
})
const { transfers } = await openTransfers({
  dataDir: orders.dataDir,
  downloads: { now: async () => orders.dataDir, always: async () => orders.dataDir },
  client: () => client,
  log: noLog,
  toProblem: (error) =>
    error instanceof PanelProblem ? error.problem : problemOf('internal', { message: String(error) }),
  landed: () => {},
  tell: (now) => process.stdout.write(`${JSON.stringify(now.items[0] ?? null)}\n`),
})
await transfers.limit({ limit: orders.limit, atOnce: 2 })
await transfers.start()
if (orders.upload) await transfers.upload({ ...orders.upload, folders: [] })
