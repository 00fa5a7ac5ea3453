import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

export interface SectionRequest {
  connectionId: string
  part: 'invitations'
}

let asked = $state.raw<SectionRequest | null>(null)

/** Scrolls the part into view, once it is drawn. Call before navigating there. */
export function askPart(part: SectionRequest): void {
  asked = part
}

/** Marks an element as a part: `{@attach isPart({connectionId, part: 'invitations'})}`. */
export const isPart =
  ({ connectionId, part }: SectionRequest): Attachment<HTMLElement> =>
  (element) => {
    if (asked?.connectionId !== connectionId || asked.part !== part) return
    untrack(() => (asked = null))
    element.tabIndex = -1
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'start' })
  }
