import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

export interface AskedPart {
  connectionId: string
  part: 'invitations' | 'sessions' | 'promotions'
}

let asked = $state.raw<AskedPart | null>(null)

/** Scrolls the part into view, once it is drawn. Call before navigating there. */
export function askPart(part: AskedPart): void {
  asked = part
}

/** Marks an element as a part: `{@attach isPart({connectionId, part: 'sessions'})}`. */
export const isPart =
  ({ connectionId, part }: AskedPart): Attachment<HTMLElement> =>
  (element) => {
    if (asked?.connectionId !== connectionId || asked.part !== part) return
    untrack(() => (asked = null))
    element.tabIndex = -1
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'start' })
  }
