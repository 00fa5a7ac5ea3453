import type { Java } from '../../../contract/areas/software.ts'
import { t } from '../../messages/t.svelte.ts'

/** Installed and downloadable versions, each once, newest first, plus the `chosen` one. */
export function javaOptions(known: readonly Java[], chosen: string): { value: string; label: string }[] {
  const labels = new Map<string, string>()
  const here = known.filter(({ from }) => from !== 'catalog')
  for (const { major, version, vendor } of here) {
    const key = String(major)
    if (labels.has(key)) continue
    const words = { major: key, version: version ?? '' }
    labels.set(key, vendor ? t('java.found-by', { ...words, vendor }) : t('java.found', words))
  }
  const missing = known.filter((java) => !here.includes(java)).map(({ major }) => String(major))
  for (const major of chosen === 'auto' ? missing : [...missing, chosen])
    if (!labels.has(major)) labels.set(major, t('java.missing', { major }))
  const found = [...labels].sort(([a], [b]) => Number(b) - Number(a))
  return [{ value: 'auto', label: t('java.auto') }, ...found.map(([value, label]) => ({ value, label }))]
}
