import type { PlannedChange } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'
import { problemWords } from '../../../catalog/extension-problems.ts'

export type Group = 'add' | 'change' | 'cannot' | 'keep' | 'other'
const order = ['add', 'change', 'cannot', 'keep', 'other'] as const satisfies readonly Group[]

const groupOf = ({ action, reason }: PlannedChange): Group => {
  if (typeof action !== 'string') return 'other'
  // Updates keep their place when deselected.
  if (reason === 'held-back' || reason === 'not-chosen') return 'change'
  return action === 'update' ? 'change' : action
}

export const groupsOf = (changes: readonly PlannedChange[]): { group: Group; changes: PlannedChange[] }[] =>
  order
    .map((group) => ({ group, changes: changes.filter((one) => groupOf(one) === group) }))
    .filter((one) => one.changes.length > 0)

export const isDone = ({ action, project }: PlannedChange): boolean =>
  (action === 'add' || action === 'update') && Boolean(project)

export const isChoice = (change: PlannedChange): boolean =>
  groupOf(change) === 'change' && Boolean(change.extensionId) && Boolean(change.project)

export function notesOf({ from, to, neededBy, reason, problems }: PlannedChange): string {
  const versions = from && to && from !== to ? t('extensions.to', { from, to }) : (to ?? from)
  const why = !reason ? null : typeof reason === 'string' ? t(`extensions.reason-${reason}`) : reason.raw
  const needed =
    neededBy && neededBy.length > 0
      ? t('extensions.plan-needed-by', { names: neededBy.slice(0, 3).join(', ') })
      : null
  return [versions, needed, why, ...(problems ?? []).map(problemWords)].filter(Boolean).join(' · ')
}
