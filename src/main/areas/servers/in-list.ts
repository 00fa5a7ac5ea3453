import type { Server, ServerRef } from '../../../contract/bridge/values.ts'
import type { ViewStore } from '../../cache/view-store.ts'

/** Changes a server in the list that holds it, or takes it out. */
export const changeInList = (
  views: ViewStore,
  { connectionId, serverId }: ServerRef,
  change: (server: Server) => Server | null,
): Promise<void> =>
  views.change({ view: 'servers.list', connectionId }, (list) => {
    const items = list.items.flatMap((server) => (server.id === serverId ? (change(server) ?? []) : server))
    return { ...list, items }
  })

/** Changes what was told of a server wherever it is shown: in its list, and in its own view. */
export function changeServer(views: ViewStore, server: ServerRef, part: Partial<Server>): void {
  const { connectionId, serverId } = server
  const own = { view: 'servers.read', connectionId, params: { serverId } } as const
  void views.change(own, (value) => ({ ...value, ...part }))
  void changeInList(views, server, (value) => ({ ...value, ...part }))
}
