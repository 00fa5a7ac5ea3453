import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal'
import { go } from '../../../core/routes/router.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import type { PaletteEntry, PaletteServer } from '../../../catalog/palette-entry.ts'
import { type ConfigProperty, explanationOf, labelOf, propertiesOf } from './property.ts'
import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import type { ServerRef } from '../../../../contract/bridge/values.ts'

interface PropertyRequest extends ServerRef {
  key: string
}

let asked = $state.raw<PropertyRequest | null>(null)

/** Call before navigating to the section. */
export function askProperty(wanted: PropertyRequest): void {
  asked = wanted
}

/** Whether this server is asked for a setting, so that no filter may hide it. */
export const isAsked = ({ connectionId, serverId }: ServerRef): boolean =>
  asked?.connectionId === connectionId && asked.serverId === serverId

/** Brings the row of the setting into view when it is asked for, with the focus in its control. */
export const showsProperty =
  ({ connectionId, serverId }: ServerRef, key: string): Attachment<HTMLElement> =>
  (row) => {
    if (asked?.key !== key || !isAsked({ connectionId, serverId })) return
    untrack(() => (asked = null))
    row.scrollIntoView({ block: 'center' })
    row.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
  }

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
