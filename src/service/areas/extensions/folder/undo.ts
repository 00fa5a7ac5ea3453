import type { Trash } from '../../../files/trash.ts'
import type { JarFile } from './folder-view.ts'
import type { Change, Items, State, Step } from './workspace.ts'

const UNTRIED_MOST = 100

/**
 * What one undo reverts, newest last: after a crash at the first start, everything changed since the last good one,
 * as any of it may be the cause; else the newest change.
 */
export function toUndo({ waiting, last, firstRun, untried }: State): Change[] {
  if (waiting.length === 0 && firstRun === 'crashed' && untried.length > 0) return untried
  const newest = waiting.at(-1) ?? last
  return newest ? [newest] : []
}

/** Changes not yet tried by a start, without undone ones. */
export function untriedAfter({ untried }: State, change: Change): Change[] {
  const { undoes = [] } = change
  const rest = untried.filter(({ id }) => !undoes.includes(id))
  const isGone = undoes.length > 0 && rest.length === untried.length - undoes.length
  return isGone ? rest : [...untried, change].slice(-UNTRIED_MOST)
}

type Item = Items[number]
type AppliedMove = NonNullable<Item['did']>

/** What the versions alone imply. */
function toldBy({ from, to }: Omit<Item, 'did'>): AppliedMove {
  if (from === to) return 'switched'
  if (to === null) return 'removed'
  return from === null ? 'added' : 'replaced'
}

const didOf = (item: Item): AppliedMove => item.did ?? toldBy(item)

/** `did` is stored only where the versions do not imply it. */
export function itemOf(name: string, from: string | null, to: string | null, did: AppliedMove): Item {
  return { name, from, to, ...(did !== toldBy({ name, from, to }) && { did }) }
}

const OPPOSITES = { added: 'removed', removed: 'added', replaced: 'replaced', switched: 'switched' } as const

export const undoneItem = (item: Item): Item => itemOf(item.name, item.to, item.from, OPPOSITES[didOf(item)])

export function mergedItems(changes: readonly Change[]): Items {
  const merged = new Map<string, { first: Item; last: Item; isSwitched: boolean; isRenewed: boolean }>()
  for (const item of changes.flatMap(({ items }) => items)) {
    const did = didOf(item)
    const before = merged.get(item.name)
    merged.set(item.name, {
      first: before?.first ?? item,
      last: item,
      isSwitched: (before?.isSwitched ?? false) || did === 'switched',
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

export async function isPossible(
  steps: readonly Step[],
  now: ReadonlyMap<string, JarFile>,
  waiting: readonly Change[],
  trash: Trash,
): Promise<boolean> {
  const marks = new Map([...now].map(([path, { mark }]) => [path, mark]))
  // Waiting changes will have put these there.
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
