import type { Server, ServerRef } from '../../contract/bridge/values.ts'
import type { Cache } from './cache/cache.ts'
import type { ViewStore } from './cache/view-store.ts'

export const removeFromList = (views: ViewStore, { connectionId, serverId }: ServerRef): Promise<void> =>
  views.change({ view: 'servers.list', connectionId }, (list) => ({
    ...list,
    items: list.items.filter(({ id }) => id !== serverId),
  }))

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
