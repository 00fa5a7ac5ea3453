import type { JarFile } from './jar-file.ts'
import { type Step, trashed } from './step.ts'
import type { Change, Items, State } from './change.ts'

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

/** The newest change that put this jar there, with only what it did with the jar's extension. */
export function changeOf(
  { waiting, last, untried }: Pick<State, 'waiting' | 'last' | 'untried'>,
  jar: string,
): Change | null {
  const all = waiting.length > 0 ? [] : untried.length > 0 ? untried : last ? [last] : []
  for (const change of all.toReversed()) {
    const item = change.steps.find(({ to }) => to.folder === 'server' && to.path === jar)?.item
    const changed = item === undefined ? undefined : change.items[item]
    const steps = change.steps.filter((step) => step.item === item)
    if (changed) return { ...change, items: [changed], steps, part: item }
  }
  return null
}

/** Changes not yet tried by a start, without undone ones. */
export function untriedAfter({ untried }: State, change: Change): Change[] {
  const { undoes = [], part } = change
  if (part !== undefined)
    return untried
      .map((one) => (undoes.includes(one.id) ? withoutPart(one, part) : one))
      .filter(({ items }) => items.length > 0)
  const rest = untried.filter(({ id }) => !undoes.includes(id))
  const isGone = undoes.length > 0 && rest.length === untried.length - undoes.length
  return isGone ? rest : [...untried, change].slice(-UNTRIED_MOST)
}

const withoutPart = (change: Change, part: number): Change => ({
  ...change,
  items: change.items.filter((_, at) => at !== part),
  steps: change.steps
    .filter(({ item }) => item !== part)
    .map((step) => (step.item !== undefined && step.item > part ? { ...step, item: step.item - 1 } : step)),
})

type Item = Items[number]
type AppliedMove = NonNullable<Item['did']>

/** What the versions alone imply. */
function localizedError({ from, to }: Omit<Item, 'did'>): AppliedMove {
  if (from === to) return 'switched'
  if (to === null) return 'removed'
  return from === null ? 'added' : 'replaced'
}

const didOf = (item: Item): AppliedMove => item.did ?? localizedError(item)

/** `did` is stored only where the versions do not imply it. */
export function itemOf(name: string, from: string | null, to: string | null, did: AppliedMove): Item {
  return { name, from, to, ...(did !== localizedError({ name, from, to }) && { did }) }
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
  const inverse = steps.toReversed().map(({ from, to, mark, size }): Step => {
    // What came from outside the folder goes to the trash.
    return {
      ...{ mark, size },
      from: to,
      to: to.folder === 'server' && from.folder !== 'server' ? trashed(newTrash()) : from,
    }
  })
  return withoutDetours(inverse)
}

function withoutDetours(steps: readonly Step[]): Step[] {
  const needless = new Set<Step>()
  for (const [at, step] of steps.entries()) {
    if (step.from.folder !== 'trash') continue
    const next = steps.slice(at + 1).find((one) => uses(one, step.to.path))
    if (next?.to.folder !== 'trash' || next.mark !== step.mark) continue
    needless.add(step)
    needless.add(next)
  }
  return steps.filter((step) => !needless.has(step))
}

const uses = ({ from, to }: Step, at: string): boolean =>
  [from, to].some(({ folder, path }) => folder === 'server' && path === at)

export async function isPossible(
  steps: readonly Step[],
  now: ReadonlyMap<string, JarFile>,
  waiting: readonly Change[],
  trash: { find(id: string): Promise<unknown> },
): Promise<boolean> {
  const marks = new Map([...now].map(([path, { mark }]) => [path, mark]))
  // Waiting changes will have put these there.
  const inTrash = new Set(
    waiting.flatMap(({ steps }) => steps.flatMap(({ to }) => (to.folder === 'trash' ? to.path : []))),
  )
  for (const { from, to, mark } of steps) {
    if (from.folder === 'server') {
      if (marks.get(from.path) !== mark) return false
      marks.delete(from.path)
    }
    if (to.folder === 'server') {
      if (marks.has(to.path)) return false
      marks.set(to.path, mark)
    }
    if (from.folder !== 'trash' || inTrash.has(from.path)) continue
    const isThere = await trash.find(from.path).then(
      () => true,
      () => false,
    )
    if (!isThere) return false
  }
  return true
}
