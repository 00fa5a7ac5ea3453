import type { Trash } from '../../../files/trash.ts'
import type { JarFile } from './folder-view.ts'
import type { Change, Items, State, Step } from './workspace.ts'

/** Changes of which it is remembered that no start has tried them. */
const UNTRIED_MOST = 100

/**
 * What one undo takes back, the newest last: where the server crashed at its first start since, everything that was changed
 * before that start, as any of it may be why; else the newest change.
 */
export function toUndo({ waiting, last, firstRun, untried }: State): Change[] {
  if (waiting.length === 0 && firstRun === 'crashed' && untried.length > 0) return untried
  const newest = waiting.at(-1) ?? last
  return newest ? [newest] : []
}

/** What no start has tried once a change is done: what it takes back is as if it had not been. */
export function untriedAfter({ untried }: State, change: Change): Change[] {
  const { undoes = [] } = change
  const rest = untried.filter(({ id }) => !undoes.includes(id))
  const isGone = undoes.length > 0 && rest.length === untried.length - undoes.length
  return isGone ? rest : [...untried, change].slice(-UNTRIED_MOST)
}

type Item = Items[number]
type Did = NonNullable<Item['did']>

/** What the versions alone tell of what became of an extension. */
function toldBy({ from, to }: Omit<Item, 'did'>): Did {
  if (from === to) return 'switched'
  if (to === null) return 'removed'
  return from === null ? 'added' : 'replaced'
}

const didOf = (item: Item): Did => item.did ?? toldBy(item)

/** What became of an extension: it is said in words where its versions do not tell it. */
export function itemOf(name: string, from: string | null, to: string | null, did: Did): Item {
  return { name, from, to, ...(did !== toldBy({ name, from, to }) && { did }) }
}

const OPPOSITES = { added: 'removed', removed: 'added', replaced: 'replaced', switched: 'switched' } as const

/** What becomes of it once that is undone. */
export const undoneItem = (item: Item): Item => itemOf(item.name, item.to, item.from, OPPOSITES[didOf(item)])

/** What several changes come to, each extension once. */
export function mergedItems(changes: readonly Change[]): Items {
  const merged = new Map<string, { first: Item; last: Item; isSwitched: boolean; isRenewed: boolean }>()
  for (const item of changes.flatMap(({ items }) => items)) {
    const did = didOf(item)
    const before = merged.get(item.name)
    merged.set(item.name, {
      first: before?.first ?? item,
      last: item,
      isSwitched: (before?.isSwitched ?? false) || did === 'switched',
      // By another file of the same version.
      isRenewed: (before?.isRenewed ?? false) || (did === 'replaced' && item.from === item.to),
    })
  }
  return [...merged].flatMap(([name, { first, last, isSwitched, isRenewed }]) => {
    const [wasThere, isThere] = [didOf(first) !== 'added', didOf(last) !== 'removed']
    const [{ from }, { to }] = [first, last]
    if (wasThere !== isThere) return itemOf(name, from, to, isThere ? 'added' : 'removed')
    if (!isThere) return []
    if (from !== to || isRenewed) return itemOf(name, from, to, 'replaced')
    return isSwitched ? itemOf(name, from, to, 'switched') : []
  })
}

/** What brings back what was there before these steps. `newTrash` names a new place in the trash. */
export function inverseOf(steps: readonly Step[], newTrash: () => string): Step[] {
  const inverse = steps.toReversed().map((step): Step => {
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
  return withoutDetours(inverse)
}

/** The same without what would come back from the trash only to go there again. */
function withoutDetours(steps: readonly Step[]): Step[] {
  const needless = new Set<Step>()
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'back') continue
    const next = steps.slice(at + 1).find((one) => pathsOf(one).includes(step.path))
    if (next?.kind !== 'out' || next.mark !== step.mark) continue
    needless.add(step)
    needless.add(next)
  }
  return steps.filter((step) => !needless.has(step))
}

const pathsOf = (step: Step): string[] => (step.kind === 'move' ? [step.from, step.to] : [step.path])

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
