import type { Trash } from '../../files/trash.ts'
import type { JarFile } from './folder-view.ts'
import type { Change, Step } from './workspace.ts'

/** What brings back what was there before these steps. `newTrash` names a new place in the trash. */
export function inverseOf(steps: readonly Step[], newTrash: () => string): Step[] {
  return steps.toReversed().map((step) => {
    const { mark, size } = step
    switch (step.kind) {
      case 'in':
      case 'back':
        return { kind: 'out', path: step.path, trash: newTrash(), mark, size }
      case 'out':
        return { kind: 'back', path: step.path, trash: step.trash, mark, size }
      case 'move':
        return { kind: 'move', from: step.to, to: step.from, mark, size }
    }
  })
}

/** Whether these steps can be done: all files are where they are looked for, and nothing is where they go. */
export async function isPossible(
  steps: readonly Step[],
  now: ReadonlyMap<string, JarFile>,
  waiting: readonly Change[],
  trash: Trash,
): Promise<boolean> {
  const marks = new Map([...now].map(([path, { mark }]) => [path, mark]))
  // What waits to go there will be there by then.
  const trashed = new Set(
    waiting.flatMap((change) => change.steps.flatMap((step) => (step.kind === 'out' ? step.trash : []))),
  )
  for (const step of steps) {
    const from = step.kind === 'out' ? step.path : step.kind === 'move' ? step.from : null
    if (from !== null && marks.get(from) !== step.mark) return false
    if (from !== null) marks.delete(from)
    const to = step.kind === 'move' ? step.to : step.kind === 'out' ? null : step.path
    if (to === null) continue
    if (marks.has(to)) return false
    marks.set(to, step.mark)
    if (step.kind !== 'back' || trashed.has(step.trash)) continue
    const isThere = await trash.find(step.trash).then(
      () => true,
      () => false,
    )
    if (!isThere) return false
  }
  return true
}
