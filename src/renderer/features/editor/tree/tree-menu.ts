import { t } from '../../../messages/t.svelte.ts'
import type { MenuItem } from '../../../ui/dialog/menu.ts'
import { type Format, isCollection, type TreeNode } from './model/tree.ts'

const KINDS = ['text', 'number', 'boolean', 'null'] as const

export interface TreeActs {
  edit: (what: 'value' | 'key') => void
  add: () => void
  become: (kind: (typeof KINDS)[number]) => void
  show: () => void
  remove: () => void
}

/** `why`: why nothing can be changed; null if it can. */
export function treeMenu(node: TreeNode, format: Format, why: string | null, acts: TreeActs): MenuItem[] {
  const isScalar = !isCollection(node) && node.fixed === null
  const kinds = KINDS.filter(
    // TOML has no null.
    (kind) => isScalar && kind !== node.kind && !(kind === 'null' && format === 'toml'),
  )
  return [
    ...(isScalar ? [{ label: t('tree.edit'), reason: why, choose: () => acts.edit('value') }] : []),
    ...(node.parent?.kind === 'map'
      ? [{ label: t('tree.rename'), reason: why, choose: () => acts.edit('key') }]
      : []),
    { label: t('tree.add'), reason: why, choose: acts.add },
    ...kinds.map((kind) => ({
      label: t(`tree.become-${kind}`),
      reason: why,
      choose: () => acts.become(kind),
    })),
    { label: t('tree.show'), choose: acts.show },
    { label: t('tree.remove'), danger: true, reason: why, choose: acts.remove },
  ]
}
