import Plus from '@lucide/svelte/icons/plus'
import RefreshCw from '@lucide/svelte/icons/refresh-cw'
import { AskedOnce } from '../../core/asked.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { missingScope } from '../../core/servers/power.ts'
import { t } from '../../messages/t.svelte.ts'
import type { PaletteEntry, PaletteServer } from '../../catalog/palette-entry.ts'
import { nounOf, takesNone } from './text/noun.ts'

export const askedExtensions = new AskedOnce<'add' | 'update'>()

const icons = { add: Plus, update: RefreshCw }

export function extensionEntries({ connectionId, serverId, server }: PaletteServer): PaletteEntry[] {
  const noun = nounOf(server)
  if (noun === 'extensions' || takesNone(server) || missingScope(server.role, ['extensions.write'])) return []
  const tab = t(`tab.${noun}`)
  return (['add', 'update'] as const).map((what) => ({
    id: `extensions-${what}`,
    group: 'here',
    name: t(`palette.${what}-extensions`, { tab }),
    icon: icons[what],
    choose: () => {
      askedExtensions.ask({ connectionId, serverId }, what)
      go({ view: 'server', connectionId, serverId, tab: 'extensions' })
    },
  }))
}
