import type { RailItem } from './rail-actions.svelte.ts'

export function thingAt(target: EventTarget | null): RailItem | null {
  if (!(target instanceof Element)) return null
  const connectionId = target.closest<HTMLElement>('[data-connection]')?.dataset.connection
  if (connectionId === undefined) return null
  const folder = target.closest<HTMLElement>('[data-folder]')?.dataset.folder
  if (folder !== undefined) return { connectionId, kind: 'folder', id: folder }
  const row = target.closest<HTMLElement>('[data-row]')
  const id = row?.querySelector<HTMLElement>('[data-server]')?.dataset.server
  return id === undefined ? null : { connectionId, kind: 'server', id }
}

export const elementOf = (list: HTMLElement, { connectionId, kind, id }: RailItem): HTMLElement | null =>
  list.querySelector(`[data-connection="${CSS.escape(connectionId)}"] [data-${kind}="${CSS.escape(id)}"]`)
