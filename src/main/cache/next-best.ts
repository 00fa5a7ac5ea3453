import { api } from '../../contract/areas/index.ts'
import type { Page } from '../../contract/areas/operation.ts'
import type { RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import type { ProblemCode } from '../../contract/bridge/problem.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../api/problem.ts'

/** What is about the service, the session or the server as a whole: another operation would say the same. */
const ofAll: ReadonlySet<ProblemCode> = new Set([
  'offline',
  'untrusted',
  'signed-out',
  'rate-limited',
  'not-found',
])

/** One server: read by itself, else taken from the list. */
export async function readServer(client: ApiClient, serverId: string): Promise<Server> {
  const own = client.send(api.servers.read, { params: { serverId } })
  return await elseBy(
    own.then(({ value }) => value),
    async () => {
      const page: Page<Server> = (await client.send(api.servers.list, { query: { limit: 200 } })).value
      return page.items.find(({ id }) => id === serverId) ?? null
    },
  )
}

/** The runtime status: read by itself, else the server's own field. */
export async function readStatus(client: ApiClient, serverId: string): Promise<RuntimeStatus> {
  const own = client.send(api.servers.status, { params: { serverId } })
  return await elseBy(
    own.then(({ value }) => value),
    async () => {
      const { status, players } = await readServer(client, serverId)
      return status ? { status, ...(players && { players }) } : null
    },
  )
}

/** What was asked for; where that operation is missing, forbidden or failing, the next best. Throws why the first failed. */
async function elseBy<T>(first: Promise<T>, next: () => Promise<T | null>): Promise<T> {
  try {
    return await first
  } catch (error) {
    if (!(error instanceof PanelProblem) || ofAll.has(error.problem.code)) throw error
    const other = await next().catch(() => null)
    if (other === null) throw error
    return other
  }
}
