import CircleUser from '@lucide/svelte/icons/circle-user'
import HardDriveUpload from '@lucide/svelte/icons/hard-drive-upload'
import Plus from '@lucide/svelte/icons/plus'
import { panel, connectionName } from '../../core/panel.svelte.ts'
import type { Route } from '../../core/routes/route.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { statusKind, statusWord } from '../../core/servers/status.ts'
import { t } from '../../messages/t.svelte.ts'
import type { PaletteEntry } from '../../catalog/palette-entry.ts'

export function connectionEntries(at: Route): PaletteEntry[] {
  const tab = at.view === 'server' ? at.tab : 'overview'
  return (panel.connections ?? []).flatMap((connection): PaletteEntry[] => {
    const { id: connectionId } = connection
    const note = connectionName(connection)
    const servers = (panel.servers(connectionId).value?.items ?? []).map((server): PaletteEntry => ({
      ...{ id: `server-${connectionId}-${server.id}`, group: 'servers', name: server.name },
      note: `${statusWord(server.status)} · ${note}`,
      ...(server.group && { also: server.group }),
      status: statusKind(server.status),
      choose: () => go({ view: 'server', connectionId, serverId: server.id, tab }),
    }))
    const create: PaletteEntry = {
      ...{ id: `create-${connectionId}`, group: 'panel', name: t('create.button'), note, icon: Plus },
      choose: () => go({ view: 'create', connectionId }),
    }
    const account: PaletteEntry = {
      ...{ id: `account-${connectionId}`, group: 'panel', name: t('connection.account'), note },
      icon: CircleUser,
      choose: () => go({ view: 'accounts', connectionId }),
    }
    const elsewhere: PaletteEntry = {
      ...{ id: `backups-${connectionId}`, group: 'panel', name: t('accounts.backups'), note },
      icon: HardDriveUpload,
      choose: () => go({ view: 'accounts', connectionId, section: 'backups' }),
    }
    if (connection.kind === 'host') return [...servers, account]
    return [...servers, create, connection.kind === 'local' ? elsewhere : account]
  })
}
