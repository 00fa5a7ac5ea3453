import type { RuntimeStatus, Server } from '../../../contract/areas/servers.ts'
import type { ProblemCode } from '../../../contract/bridge/problem.ts'
import { PanelProblem } from '../../base/problem.ts'
import type { ServerList } from '../../../contract/bridge/values.ts'
import type { Cache } from '../../views/cache/cache.ts'
import type { ViewFetcher, ComposedDependencies, Compositions } from '../../panel/composed.ts'

const AT_ONCE = 4

export type AddedServerCache = Pick<Cache, 'addedServers' | 'renameAdded'>

/** Fall back to another read if the server's own is missing, forbidden or failing. */
export const serverViews = ({ added }: ComposedDependencies): Compositions => ({
  'servers.list': {
    of: ['servers.list'],
    read: (ask, { connectionId }) => readServers(ask, connectionId, added),
  },
  'servers.read': {
    of: ['servers.read'],
    read: (ask, { params }) => readServer(ask, params['serverId'] ?? ''),
  },
  'servers.status': {
    of: ['servers.status'],
    read: (ask, { params }) => readStatus(ask, params['serverId'] ?? ''),
  },
})

async function readServers(
  ask: ViewFetcher,
  connectionId: string,
  added: AddedServerCache,
): Promise<ServerList> {
  try {
    return await ask('servers.list')
  } catch (error) {
    const code = error instanceof PanelProblem ? error.problem.code : null
    if (code !== 'unavailable' && code !== 'forbidden') throw error
    const items = await byId(ask, connectionId, added)
    if (items.length === 0) throw error
    return { items, leftOut: [], more: false, byId: code === 'unavailable' ? 'absent' : 'forbidden' }
  }
}

async function byId(ask: ViewFetcher, connectionId: string, added: AddedServerCache): Promise<Server[]> {
  const kept = await added.addedServers(connectionId)
  const servers = kept.map(({ id, name }): Server => ({ id, name: name ?? id }))
  const left = [...servers.entries()]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, { id, name }] = next
      const read = await ask('servers.read', { params: { serverId: id } }).catch((error: unknown) => {
        // The id alone is enough to show the server.
        if (error instanceof PanelProblem) return null
        throw error
      })
      if (!read) continue
      servers[at] = { ...read, id }
      if (read.name !== name) await added.renameAdded(connectionId, id, read.name)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return servers
}

/** Problems of the service, the session or the server as a whole: a fallback would fail too. */
const ofAll: ReadonlySet<ProblemCode> = new Set([
  'offline',
  'untrusted',
  'signed-out',
  'rate-limited',
  'not-found',
])

const readServer = (ask: ViewFetcher, serverId: string): Promise<Server> =>
  elseBy(ask('servers.read', { params: { serverId } }), async () => {
    const { items } = await ask('servers.list')
    return items.find(({ id }) => id === serverId) ?? null
  })

const readStatus = (ask: ViewFetcher, serverId: string): Promise<RuntimeStatus> =>
  elseBy(ask('servers.status', { params: { serverId } }), async () => {
    const { status, players } = await readServer(ask, serverId)
    return status ? { status, ...(players && { players }) } : null
  })

/** Throws the first error if both fail. */
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
