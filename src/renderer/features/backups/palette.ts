import Archive from '@lucide/svelte/icons/archive'
import type { PaletteEntry, PaletteServer } from '../../catalog/palette-entry.ts'
import { backUp, mayBackUp } from '../../catalog/servers/server-menu.ts'
import { t } from '../../messages/t.svelte.ts'

export function backupEntries({ connectionId, serverId }: PaletteServer): PaletteEntry[] {
  const ref = { connectionId, serverId }
  if (!mayBackUp(ref)) return []
  return [
    {
      ...{ id: 'back-up', group: 'here', name: t('power.back-up'), icon: Archive },
      choose: () => void backUp(ref),
    },
  ]
}
