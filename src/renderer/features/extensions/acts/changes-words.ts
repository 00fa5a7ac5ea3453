import type { ExtensionChanges } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'

type Item = NonNullable<ExtensionChanges['last']>['items'][number]

/** Names that one line holds. */
const NAMED = 3

/** What became of one: "Vault 1.7 added", "LuckPerms 5.4 → 5.5". */
export function itemWords({ name, from, to }: Item): string {
  if (from && from === to) return t('extensions.item-changed', { name })
  if (from && to) return t('extensions.item-updated', { name, from, to })
  if (to) return t('extensions.item-added', { name, to })
  if (!from) return t('extensions.item-changed', { name })
  return t('extensions.item-removed', { name })
}

/** The first few, and how many more there are. */
export function itemsWords(items: readonly Item[]): string {
  const named = items.slice(0, NAMED).map(itemWords).join(', ')
  const more = items.length - NAMED
  return more > 0 ? t('extensions.last-more', { items: named, count: more }) : named
}
