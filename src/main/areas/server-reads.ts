import type { RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import type { ProblemCode } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../api/problem.ts'
import type { Ask, Compositions } from './composed.ts'

/** Views of a server, for which the next best read is asked where their own is missing, forbidden or failing. */
export const composedServers: Compositions = {
  'servers.read': {
    of: ['servers.read'],
    read: (ask, { params }) => readServer(ask, params['serverId'] ?? ''),
  },
  'servers.status': {
    of: ['servers.status'],
    read: (ask, { params }) => readStatus(ask, params['serverId'] ?? ''),
  },
}

/** What is about the service, the session or the server as a whole: another operation would say the same. */
const ofAll: ReadonlySet<ProblemCode> = new Set([
  'offline',
  'untrusted',
  'signed-out',
  'rate-limited',
  'not-found',
])

/** One server: read by itself, else taken from the list. */
const readServer = (ask: Ask, serverId: string): Promise<Server> =>
  elseBy(ask('servers.read', { params: { serverId } }), async () => {
    const { items } = await ask('servers.list')
    return items.find(({ id }) => id === serverId) ?? null
  })

/** The runtime status: read by itself, else the server's own field. */
const readStatus = (ask: Ask, serverId: string): Promise<RuntimeStatus> =>
  elseBy(ask('servers.status', { params: { serverId } }), async () => {
    const { status, players } = await readServer(ask, serverId)
    return status ? { status, ...(players && { players }) } : null
  })

/** What was asked for, else the next best. Throws why the first failed. */
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
