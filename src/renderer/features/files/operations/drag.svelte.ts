import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { bringsFiles, readDrop } from './read-dropped.ts'
import type { FileWork } from './file-work.svelte.ts'
import { isWithin, parentOf } from '../../../../contract/rules/paths.ts'

interface DragPayload {
  server: ServerRef
  paths: string[]
}

let dragged = $state.raw<DragPayload | null>(null)
let target = $state.raw<string | null>(null)

export function draggedNow(): DragPayload | null {
  return dragged
}

export function dropTarget(): string | null {
  return target
}

export function startDrag(event: DragEvent, server: ServerRef, paths: string[]): void {
  dragged = { server, paths }
  if (!event.dataTransfer) return
  event.dataTransfer.effectAllowed = 'copyMove'
  // Some browsers start no drag without data. No other program understands this type.
  event.dataTransfer.setData('application/x-panel-files', '')
}

export function endDrag(): void {
  dragged = null
  target = null
}

/** Not into itself, and not to where it is. */
export function canDrop(event: DragEvent, folder: string): boolean {
  if (bringsFiles(event.dataTransfer)) return true
  if (!dragged) return false
  return (
    dragged.paths.every((path) => !isWithin(folder, path)) &&
    dragged.paths.some((path) => parentOf(path) !== folder)
  )
}

export function dragOver(event: DragEvent, folder: string): void {
  if (!canDrop(event, folder)) return
  event.preventDefault()
  event.stopPropagation()
  if (event.dataTransfer)
    event.dataTransfer.dropEffect = bringsFiles(event.dataTransfer) || wantsCopy(event) ? 'copy' : 'move'
  target = folder
}

export function dragLeave(event: DragEvent, folder: string): void {
  const to = event.relatedTarget
  if (to instanceof Node && event.currentTarget instanceof Node && event.currentTarget.contains(to)) return
  if (target === folder) target = null
}

export function wantsCopy(event: DragEvent): boolean {
  return event.ctrlKey || (event.altKey && /Mac/.test(navigator.platform))
}

export function handleDrop(event: DragEvent, folder: string, work: FileWork): void {
  event.preventDefault()
  event.stopPropagation()
  const inside = draggedNow()
  const copy = wantsCopy(event)
  endDrag()
  if (event.dataTransfer && bringsFiles(event.dataTransfer))
    void work.upload(folder, readDrop(event.dataTransfer))
  else if (inside) void work.bring(copy ? 'copy' : 'move', inside.paths, folder)
}
