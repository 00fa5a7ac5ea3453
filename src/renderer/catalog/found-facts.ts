import type { SearchOrder } from '../../contract/areas/extensions.ts'
import { ago, compactNumber } from '../messages/format.ts'
import { t } from '../messages/t.svelte.ts'
import { now } from '../ui/base/now.ts'

interface Facts {
  downloads?: number | null | undefined
  updatedAt?: string | null | undefined
  createdAt?: string | null | undefined
}

/** Downloads and age: since release if sorted by that, else since the last update. */
export function foundFacts({ downloads, updatedAt, createdAt }: Facts, sort: SearchOrder): string {
  const said = [downloads ? t('finding.downloaded', { count: compactNumber(downloads) }) : null]
  if (createdAt && sort === 'newest') said.push(t('finding.created', { age: ago(createdAt, now()) }))
  else if (updatedAt) said.push(t('finding.changed', { age: ago(updatedAt, now()) }))
  return said.filter(Boolean).join(' · ')
}
