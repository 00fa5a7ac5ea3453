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
