import type { PlaceSetting, RelocationWarning } from '../../../contract/bridge/relocation-calls.ts'
import { memory } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'

/** How a setting changes, in words. */
export function settingWords({ name, from, to }: PlaceSetting, isNew: boolean): string {
  const valueOf = (value: string | null) =>
    value === null
      ? t(name === 'memory' ? 'relocate.not-known' : 'relocate.not-set')
      : name === 'memory'
        ? memory(Number(value))
        : value
  return isNew ? valueOf(from) : t('relocate.becomes', { from: valueOf(from), to: valueOf(to) })
}

export function warningWords(warning: RelocationWarning): string {
  if (warning.kind !== 'path') return t(`relocate.warn-${warning.kind}`)
  const { name, value } = warning
  return t('relocate.warn-path', { name, value })
}
