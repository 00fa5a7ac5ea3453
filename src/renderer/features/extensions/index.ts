import { LiveView } from '../../core/live-view.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { missingScope } from '../../core/servers/power.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { part, type TabFeature, WHOLE } from '../feature.ts'
import { askExtensions } from './asked.svelte.ts'
import { nounOf, takesNone } from './text/noun.ts'

const listOf = ({ connectionId, serverId }: ServerState) =>
  new LiveView('extensions.list', { connectionId, params: { serverId } })

export const extensions = {
  tab: 'extensions',
  needs: 'extensions.read',
  absent: ({ server }) => (takesNone(server) ? 'extensions' : null),
  nameAt: (server) => t(`tab.${nounOf(server)}`),
  part: (server) => part(() => import('./Extensions.svelte'), { server, view: listOf(server) }, WHOLE),
  palette: (at) => {
    if (at.view !== 'server') return []
    const { connectionId, serverId } = at
    const server = panel.server(connectionId, serverId)
    const noun = nounOf(server)
    if (!server || noun === 'extensions' || missingScope(server.role, ['extensions.write'])) return []
    const tab = t(`tab.${noun}`)
    return (['add', 'update'] as const).map((what) => ({
      id: `extensions-${what}`,
      group: 'here',
      name: t(`palette.${what}-extensions`, { tab }),
      note: '',
      choose: () => {
        askExtensions({ connectionId, serverId, what })
        go({ view: 'server', connectionId, serverId, tab: 'extensions' })
      },
    }))
  },
} as const satisfies TabFeature
