import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

/** A part of a connection's page that somebody wants to see. */
export interface AskedPart {
  connectionId: string
  part: 'invitations' | 'sessions' | 'promotions'
}

let asked = $state.raw<AskedPart | null>(null)

/** Asks for a part: it comes in sight where it is drawn, or once it is. Whoever goes there calls this first. */
export function askPart(part: AskedPart): void {
  asked = part
}

/** Says that an element is a part of a page: `{@attach isPart({connectionId, part: 'sessions'})}`. */
export const isPart =
  ({ connectionId, part }: AskedPart): Attachment<HTMLElement> =>
  (element) => {
    if (asked?.connectionId !== connectionId || asked.part !== part) return
    untrack(() => (asked = null))
    element.tabIndex = -1
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'start' })
  }
