import { draggedNow, endDrag, wantsCopy } from './drag.svelte.ts'
import { bringsFiles, readDrop } from './read-dropped.ts'
import type { FileWork } from './file-work.svelte.ts'

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
