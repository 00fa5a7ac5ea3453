import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal'
import { go } from '../../../core/routes/router.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import type { PaletteEntry, PaletteServer } from '../../../catalog/palette-entry.ts'
import { askProperty } from './asked-property.svelte.ts'
import { type ConfigProperty, explanationOf, labelOf, propertiesOf } from './property.ts'

export function propertyEntries(
  { connectionId, serverId }: PaletteServer,
  given: readonly ConfigProperty[],
): PaletteEntry[] {
  return propertiesOf(given).map(({ key }) => ({
    ...{ id: `property-${key}`, group: 'here', name: labelOf(key), note: t('tab.properties') },
    ...{ also: `${key} ${explanationOf(key) ?? ''}`, icon: SlidersHorizontal },
    choose: () => {
      askProperty({ connectionId, serverId, key })
      go({ view: 'server', connectionId, serverId, tab: 'settings', section: 'properties' })
    },
  }))
}
