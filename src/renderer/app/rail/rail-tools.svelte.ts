import { firstPicture } from '../../core/after-picture.ts'

/** Arranging and bulk actions; loaded on first interaction with the list. */
export const railTools = () => import('./RailTools.svelte')

export const unreadBadge = () =>
  firstPicture().then(() => import('../../features/notifications/UnreadBadge.svelte'))

export function isForTools(event: Event): boolean {
  const { target } = event
  if (!(target instanceof Element)) return false
  const row = target.closest('[data-row], [data-folder]')
  if (event instanceof KeyboardEvent) {
    const arranges = event.shiftKey && /^Arrow(?:Up|Down)$/.test(event.key)
    const selects = event.key === ' ' && (event.ctrlKey || event.metaKey)
    return target.matches('[data-server], [data-folder]') && (arranges || selects || event.key === 'F2')
  }
  if (event.type === 'dragstart') return row !== null
  if (event.type === 'contextmenu')
    return row !== null || target.closest('[data-connection] > :first-child') !== null
  if (!(event instanceof MouseEvent)) return false
  const isWithKey = event.ctrlKey || event.metaKey || event.shiftKey
  return target.closest('[data-more], [data-pick]') !== null || (row !== null && isWithKey)
}

/** Selected servers by `keyOf`; null while not selecting. */
let picked = $state.raw<ReadonlySet<string> | null>(null)

export const pickedNow = (): ReadonlySet<string> | null => picked

export function setPicked(next: ReadonlySet<string> | null): void {
  picked = next
}

export const keyOf = (connectionId: string, serverId: string): string => `${connectionId}\n${serverId}`
