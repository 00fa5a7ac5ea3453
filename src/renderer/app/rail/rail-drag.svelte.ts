import { pickedServers } from './picks.ts'
import { moveFolderTo, moveTo, placeOf, type RailItem, sectionWith } from './rail-actions.svelte.ts'
import { keyOf, pickedNow } from './rail-tools.svelte.ts'
import type { Target } from './steps.ts'

/** Where a drop would land: a line between rows, or a frame around a folder. In pixels. */
export interface DropMark {
  kind: 'line' | 'frame'
  left: number
  top: number
  width: number
  height: number
}

type DropTarget = { mark: DropMark } & (
  { kind: 'servers'; to: Target } | { kind: 'folder'; before: string | null }
)

/** Dragging in the list. Servers stay within their connection. */
export class RailDrag {
  #thing: RailItem | null = null
  #ids: readonly string[] = []
  #drop = $state.raw<DropTarget | null>(null)

  get mark(): DropMark | null {
    return this.#drop?.mark ?? null
  }

  start(event: DragEvent): void {
    const thing = thingAt(event.target)
    if (!thing || !event.dataTransfer) return
    event.dataTransfer.effectAllowed = 'move'
    // A drop target would open a link's address.
    event.dataTransfer.clearData()
    event.dataTransfer.setData('application/x-panel-rail', '')
    this.#thing = thing
    const { connectionId, id } = thing
    const picked = pickedNow()?.has(keyOf(connectionId, id)) === true ? pickedServers() : []
    const others = picked.filter((one) => one.connectionId === connectionId).map(({ serverId }) => serverId)
    this.#ids = others.length > 0 ? others : [id]
  }

  over(event: DragEvent): void {
    if (!this.#thing) return
    this.#drop = this.#dropAt(event, this.#thing)
    if (!this.#drop) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'move'
  }

  leave(event: DragEvent): void {
    const to = event.relatedTarget
    if (to instanceof Node && event.currentTarget instanceof Node && event.currentTarget.contains(to)) return
    this.#drop = null
  }

  drop(event: DragEvent): void {
    const thing = this.#thing
    const drop = this.#drop
    this.end()
    if (!thing || !drop) return
    event.preventDefault()
    if (drop.kind === 'folder') void moveFolderTo(thing.connectionId, thing.id, drop.before)
    else void moveTo(thing.connectionId, this.#ids, drop.to)
  }

  end(): void {
    this.#thing = null
    this.#drop = null
  }

  #dropAt(event: DragEvent, dragged: RailItem): DropTarget | null {
    if (!(event.target instanceof Element)) return null
    const group = event.target.closest<HTMLElement>('[data-connection]')
    if (group?.dataset.connection !== dragged.connectionId) return null
    const at = thingAt(event.target)
    const box = event.target.closest('[data-row], [data-folder]')?.getBoundingClientRect()
    if (!at || !box) {
      const head = group.firstElementChild
      if (!head?.contains(event.target) || dragged.kind === 'folder') return null
      // On the connection: out of every folder.
      return {
        kind: 'servers',
        to: { folder: null, before: null },
        mark: frame(head.getBoundingClientRect()),
      }
    }
    const isLower = event.clientY > box.top + box.height / 2
    if (dragged.kind === 'folder') {
      if (at.kind !== 'folder') return null
      const before = isLower ? nextOf(at) : at.id
      return { kind: 'folder', before, mark: line(box, isLower) }
    }
    if (at.kind === 'folder')
      return { kind: 'servers', to: { folder: at.id, before: null }, mark: frame(box) }
    const folder = sectionWith(at.connectionId, at.id)?.id ?? null
    return {
      kind: 'servers',
      to: { folder, before: isLower ? nextOf(at) : at.id },
      mark: line(box, isLower),
    }
  }
}

function nextOf(thing: RailItem): string | null {
  const { at, all } = placeOf(thing)
  return all[at + 1] ?? null
}

const frame = ({ left, top, width, height }: DOMRect): DropMark => ({
  kind: 'frame',
  left,
  top,
  width,
  height,
})
const line = ({ left, top, bottom, width }: DOMRect, isLower: boolean): DropMark => ({
  ...{ kind: 'line', left, width, height: 2 },
  top: (isLower ? bottom : top) - 1,
})

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
