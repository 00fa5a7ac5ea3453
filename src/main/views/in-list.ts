import type { Server, ServerRef } from '../../contract/bridge/values.ts'
import type { Cache } from './cache/cache.ts'
import type { ViewStore } from './cache/view-store.ts'
import { sameStatus } from './statuses.ts'

/** Changes a server in its list, or removes it. */
export const changeInList = (
  views: ViewStore,
  { connectionId, serverId }: ServerRef,
  change: (server: Server) => Server | null,
): Promise<void> =>
  views.change({ view: 'servers.list', connectionId }, (list) => {
    const items = list.items.flatMap((server) => (server.id === serverId ? (change(server) ?? []) : server))
    return { ...list, items }
  })

export function changeServer(views: ViewStore, server: ServerRef, part: Partial<Server>): void {
  const { connectionId, serverId } = server
  const own = { view: 'servers.read', connectionId, params: { serverId } } as const
  void views.change(own, (value) => ({ ...value, ...part }))
  void changeInList(views, server, (value) => ({ ...value, ...part }))
}

type StatusUpdate = Pick<Server, 'status'> & Partial<Pick<Server, 'players'>>

export function amendServer(
  views: ViewStore,
  { connectionId, serverId }: ServerRef,
  told: StatusUpdate,
): void {
  const own = { view: 'servers.read', connectionId, params: { serverId } } as const
  void views.amend(own, (server) => withStatus(server, told))
}

export function amendInList(
  views: ViewStore,
  { connectionId, serverId }: ServerRef,
  told: StatusUpdate,
): void {
  void views.amend({ view: 'servers.list', connectionId }, (list) => {
    const at = list.items.findIndex(({ id }) => id === serverId)
    const before = list.items[at]
    const after = before && withStatus(before, told)
    return !after || after === before ? list : { ...list, items: list.items.with(at, after) }
  })
}

function withStatus(server: Server, told: StatusUpdate): Server {
  const { online, max } = server.players ?? {}
  const isCounted =
    told.players === undefined || (told.players?.online === online && told.players?.max === max)
  return isCounted && sameStatus(server.status, told.status) ? server : { ...server, ...told }
}

/** Without a list from the service, a new server is stored as one added by ID. */
export async function keepCreated(
  { views, cache }: { views: ViewStore; cache: Pick<Cache, 'addServer' | 'renameAdded'> },
  connectionId: string,
  { id, name }: Pick<Server, 'id' | 'name'>,
): Promise<void> {
  const list = { view: 'servers.list', connectionId } as const
  const { value, problem } = await views.refresh(list)
  const isListed = problem ? problem.code !== 'unavailable' && problem.code !== 'forbidden' : !value?.byId
  if (isListed || !(await cache.addServer(connectionId, id))) return
  await cache.renameAdded(connectionId, id, name)
  await views.refresh(list)
}
