import { NAMES_MOST, nodes as operations } from '../../../contract/areas/nodes.ts'
import { servers } from '../../../contract/areas/servers.ts'
import { isStopped } from '../../../contract/rules/power.ts'
import { refusal } from '../../../host/refusal.ts'
import { type Caller, serve, type ServiceApp } from '../../http/serve.ts'
import type { Node } from '../../runtime/programs/driver.ts'
import type { Runtime, RuntimeStatusInput } from '../../runtime/types.ts'
import type { Store } from '../../store/store.ts'

export interface NodeRoutes {
  store: Pick<Store, 'accounts' | 'servers'>
  runtime: Pick<Runtime, 'nodes' | 'status' | 'players' | 'find' | 'onStatus'>
}

export function mountNodes(app: ServiceApp, { store, runtime }: NodeRoutes): void {
  const requireOwner = ({ accountId }: Caller) => {
    if (!store.accounts.ownsService(accountId)) throw refusal(403, 'node.owner')
  }
  const requireNodes = () => {
    if (!runtime.nodes) throw refusal(409, 'node.none')
    return runtime.nodes
  }
  const nodeOf = (serverId: string) => runtime.status(serverId)?.node?.name

  /** Of a lost node, the swarm no longer tells what runs there. */
  const serverIdsOn = ({ name, serverIds }: Node, all: readonly string[]) => [
    ...new Set([...serverIds, ...all.filter((id) => nodeOf(id) === name)]),
  ]

  serve(app, operations.list, async ({ caller }) => {
    requireOwner(caller)
    const nodes = (await runtime.nodes?.list()) ?? []
    const rows = new Map(store.servers.all().map((row) => [row.id, row]))
    const serverView = (node: Node) => (id: string) => {
      const row = rows.get(id)
      if (!row) return []
      const { status, players } = runtime.status(id) ?? {}
      const playerNames = runtime.players(id)?.names?.slice(0, NAMES_MOST) ?? []
      return [{ ...{ id, name: row.name, status, players, playerNames }, isPinned: row.node === node.name }]
    }
    const items = nodes.map(({ serverIds: _, ...node }, at) => ({
      ...node,
      goneSince: node.goneSince === null ? null : new Date(node.goneSince).toISOString(),
      servers: serverIdsOn(nodes[at]!, [...rows.keys()]).flatMap(serverView(nodes[at]!)),
    }))
    return { items, nextCursor: null }
  })

  serve(app, operations.drain, async ({ caller, params, body }) => {
    requireOwner(caller)
    await requireNodes().drain(params.nodeId, body.isDraining)
  })

  serve(app, operations.move, async ({ caller, params, body, address, signal }) => {
    requireOwner(caller)
    const node = (await requireNodes().list()).find(({ id }) => id === params.nodeId)
    if (!node) throw refusal(404, 'node.not-found')
    const { serverId } = body
    if (!serverIdsOn(node, [serverId]).includes(serverId) || !store.servers.byId(serverId))
      throw refusal(404, 'server.not-found.deleted')
    if (!node.isReady) throw refusal(409, 'node.not-reached')
    await runtime.find(serverId).power('restart')
    const write = { op: servers.power, serverId, by: caller, address, params: {}, query: undefined }
    app.wrote({
      ...write,
      body: { action: 'restart' },
      answer: undefined,
      told: [],
      refused: null,
      below: false,
    })
    const { status } = await settled(runtime, serverId, signal)
    return { status, node: nodeOf(serverId) ?? null }
  })
}

/** Resolves once it has started again, or won't. */
async function settled(
  runtime: Pick<Runtime, 'onStatus' | 'status'>,
  serverId: string,
  signal: AbortSignal,
): Promise<Pick<RuntimeStatusInput, 'status'>> {
  const found = Promise.withResolvers<Pick<RuntimeStatusInput, 'status'>>()
  const look = () => {
    const { status } = runtime.status(serverId) ?? { status: 'offline' as const }
    if (status === 'online' || isStopped(status)) found.resolve({ status })
  }
  // Between stopping and starting it is down for a moment.
  const stop = runtime.onStatus((id) => id === serverId && setImmediate(look))
  signal.addEventListener('abort', () => found.reject(signal.reason as Error), { once: true })
  try {
    return await found.promise
  } finally {
    stop()
  }
}
