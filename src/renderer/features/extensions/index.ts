import { LiveView } from '../../core/live-view.svelte.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { part, type TabFeature, WHOLE } from '../feature.ts'
import { nounOf, takesNone } from './text/noun.ts'

const listOf = ({ connectionId, serverId }: ServerState) =>
  new LiveView('extensions.list', { connectionId, params: { serverId } })

export const extensions = {
  tab: 'extensions',
  needs: 'extensions.read',
  absent: ({ server }) => (takesNone(server) ? 'extensions' : null),
  nameAt: (server) => t(`tab.${nounOf(server)}`),
  part: (server) => part(() => import('./Extensions.svelte'), { server, view: listOf(server) }, WHOLE),
} as const satisfies TabFeature
