import Archive from '@lucide/svelte/icons/archive'
import Copy from '@lucide/svelte/icons/copy'
import Play from '@lucide/svelte/icons/play'
import RotateCw from '@lucide/svelte/icons/rotate-cw'
import Square from '@lucide/svelte/icons/square'
import Terminal from '@lucide/svelte/icons/terminal'
import Zap from '@lucide/svelte/icons/zap'
import type { PowerAction, ServerRef } from '../../../contract/bridge/values.ts'
import { send } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { missingScope, powerActions, powerReason } from '../../core/servers/power.ts'
import { requestPower } from '../../core/servers/power-requests.ts'
import { lacksArea } from '../../core/servers/place.ts'
import { addressOf } from '../../core/servers/server-facts.ts'
import { statusKind } from '../../core/servers/status.ts'
import { t } from '../../messages/t.svelte.ts'
import { copyText } from '../../ui/base/copy-text.ts'
import type { MenuItem } from '../../ui/dialog/menu.ts'
import { notify, notifyProblem } from '../../ui/feedback/notices.svelte.ts'

export const powerIcons = { start: Play, stop: Square, restart: RotateCw, kill: Zap }

/** Never throws: failures are shown. */
/** Settles once the service has answered. Never rejects: a problem is a notice. */
export async function power(ref: ServerRef, action: PowerAction): Promise<void> {
  const name = panel.server(ref.connectionId, ref.serverId)?.name ?? ''
  await requestPower(ref, action).catch((thrown: unknown) => notifyProblem(thrown, () => name))
}

/** Whether an account may make a backup now. */
export function mayBackUp({ connectionId, serverId }: ServerRef): boolean {
  const server = panel.server(connectionId, serverId)
  return (
    server !== null &&
    !lacksArea('backups', { server, connection: panel.connection(connectionId) }) &&
    panel.reach(connectionId) === 'ready' &&
    missingScope(server.role, ['backups.create']) === null
  )
}

/** Settles once the service has answered. Never rejects: a problem is a notice. */
export async function backUp(ref: ServerRef): Promise<void> {
  const { connectionId, serverId } = ref
  const name = panel.server(connectionId, serverId)?.name ?? ''
  try {
    await send('backups.create', { connectionId, params: { serverId }, body: {} })
    const section = { tab: 'settings', section: 'backups' } as const
    notify({
      tone: 'done',
      text: () => t('power.backing-up', { name }),
      action: {
        label: () => t('power.show-backups'),
        run: () => go({ view: 'server', connectionId, serverId, ...section }),
      },
    })
  } catch (thrown) {
    notifyProblem(thrown, () => name)
  }
}

/** What can be done with a server now, wherever it is named. */
export function serverMenu(ref: ServerRef): MenuItem[] {
  const { connectionId, serverId } = ref
  const server = panel.server(connectionId, serverId)
  if (!server) return []
  const [kind, reach] = [statusKind(server.status), panel.reach(connectionId)]
  const address = addressOf(server)
  return [
    ...powerActions
      .filter((action) => powerReason(action, kind, server.role, reach) === null)
      .map((action) => ({
        label: t(`power.${action}`),
        icon: powerIcons[action],
        danger: action === 'kill',
        choose: () => void power(ref, action),
      })),
    {
      label: t('last-lines.all'),
      icon: Terminal,
      choose: () => go({ view: 'server', connectionId, serverId, tab: 'console' }),
    },
    ...(address
      ? [{ label: t('address.copy-it'), icon: Copy, choose: () => void copyAddress(address) }]
      : []),
    ...(mayBackUp(ref) ? [{ label: t('power.back-up'), icon: Archive, choose: () => void backUp(ref) }] : []),
  ]
}

export async function copyAddress(address: string): Promise<void> {
  if (await copyText(address)) notify({ tone: 'done', text: () => t('address.copied') })
}
