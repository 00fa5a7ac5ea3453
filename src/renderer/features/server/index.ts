import type { PowerAction } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { powerActions, powerReason } from '../../core/servers/power.ts'
import { statusKind } from '../../core/servers/status.ts'
import { t } from '../../messages/t.svelte.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'
import type { Feature } from '../feature.ts'

/** Killing has its own button and confirmation. */
const gentle = powerActions.filter((action): action is Exclude<PowerAction, 'kill'> => action !== 'kill')

export const power: Feature = {
  palette: (at) => {
    if (at.view !== 'server') return []
    const { connectionId, serverId } = at
    const server = panel.server(connectionId, serverId)
    if (!server) return []
    return gentle.map((action) => ({
      id: `power-${action}`,
      group: 'here',
      name: t(`power.${action}`),
      note: '',
      reason: powerReason(action, statusKind(server.status), server.role, panel.reach(connectionId)),
      choose: () => {
        import('../../core/servers/power-requests.ts')
          .then(({ requestPower }) => requestPower({ connectionId, serverId }, action))
          .catch((thrown: unknown) => notifyProblem(thrown, () => server.name))
      },
    }))
  },
}
