import type { Java } from '../../../contract/areas/software.ts'
import { t } from '../../messages/t.svelte.ts'

/** The Javas that can be chosen: those that are here, each version once, the newest first; and the one that is `chosen`. */
export function javaOptions(here: readonly Java[], chosen: string): { value: string; label: string }[] {
  const labels = new Map<string, string>()
  for (const { major, version, vendor } of here) {
    const key = String(major)
    if (labels.has(key)) continue
    const words = { major: key, version: version ?? '' }
    labels.set(key, vendor ? t('java.found-by', { ...words, vendor }) : t('java.found', words))
  }
  if (chosen !== 'auto' && !labels.has(chosen)) labels.set(chosen, t('java.missing', { major: chosen }))
  const found = [...labels].sort(([a], [b]) => Number(b) - Number(a))
  return [{ value: 'auto', label: t('java.auto') }, ...found.map(([value, label]) => ({ value, label }))]
}
