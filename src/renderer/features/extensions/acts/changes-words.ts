import type { ExtensionChanges } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'

type Item = NonNullable<ExtensionChanges['last']>['items'][number]

const NAMED = 3

export function itemWords(item: Item): string {
  const { name, from, to } = item
  switch (didOf(item)) {
    case 'added':
      return to ? t('extensions.item-added', { name, to }) : t('extensions.item-added-unknown', { name })
    case 'replaced':
      return from && to && from !== to
        ? t('extensions.item-updated', { name, from, to })
        : t('extensions.item-replaced', { name })
    case 'removed':
      return t('extensions.item-removed', { name })
    case 'switched':
      return t('extensions.item-changed', { name })
  }
}

function didOf({ from, to, did }: Item): 'added' | 'replaced' | 'removed' | 'switched' {
  if (typeof did === 'string') return did
  if ((from ?? '') === (to ?? '')) return 'switched'
  if (!to) return 'removed'
  return from ? 'replaced' : 'added'
}

export function itemsWords(items: readonly Item[]): string {
  const named = items.slice(0, NAMED).map(itemWords).join(', ')
  const more = items.length - NAMED
  return more > 0 ? t('extensions.last-more', { items: named, count: more }) : named
}
