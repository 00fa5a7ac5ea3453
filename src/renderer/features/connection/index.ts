import { connectionName } from '../../core/servers/connection-words.ts'
import { panel } from '../../core/panel.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { statusKind, statusWord } from '../../core/servers/status.ts'
import { t } from '../../messages/t.svelte.ts'
import { ofPanel, type Feature, type PaletteEntry } from '../feature.ts'

export const connections: Feature = {
  palette: (at) => {
    const tab = at.view === 'server' ? at.tab : 'overview'
    return (panel.connections ?? []).flatMap((connection): PaletteEntry[] => {
      const { id: connectionId } = connection
      const name = connectionName(connection)
      const servers = (panel.servers(connectionId).value?.items ?? []).map((server): PaletteEntry => ({
        id: `server-${connectionId}-${server.id}`,
        group: 'servers',
        name: server.name,
        note: `${statusWord(server.status)} · ${name}`,
        status: statusKind(server.status),
        choose: () => go({ view: 'server', connectionId, serverId: server.id, tab }),
      }))
      return [
        ...servers,
        ofPanel(
          `create-${connectionId}`,
          t('create.button'),
          () => go({ view: 'create', connectionId }),
          name,
        ),
        ...(connection.kind === 'local'
          ? []
          : [
              ofPanel(
                `account-${connectionId}`,
                t('connection.account'),
                () => go({ view: 'accounts', connectionId }),
                name,
              ),
            ]),
      ]
    })
  },
}
