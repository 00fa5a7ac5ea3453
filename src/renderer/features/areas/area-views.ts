import type { ViewRef } from '../../../contract/bridge/passed.ts'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import { LiveView } from '../../live-view.svelte.ts'

/** The view of an area that has no tab of its own yet: the read that tells whether a service offers it. */
const views = {
  players: ({ connectionId, serverId }) => ({ view: 'players.list', connectionId, params: { serverId } }),
  software: ({ connectionId }) => ({ view: 'software.list', connectionId }),
  extensions: ({ connectionId, serverId }) => ({
    view: 'extensions.list',
    connectionId,
    params: { serverId },
  }),
  access: ({ connectionId, serverId }) => ({ view: 'access.list', connectionId, params: { serverId } }),
  notifications: ({ connectionId }) => ({ view: 'notifications.list', connectionId }),
} satisfies Record<string, (server: ServerRef) => ViewRef>
export type AreaName = keyof typeof views

export function areaView(area: AreaName, server: ServerRef): LiveView<ViewRef['view']> {
  const { view, ...input } = views[area](server)
  return new LiveView<ViewRef['view']>(view, input)
}
