import { isNameLine } from '../../../contract/messages/one-line.ts'
import { needed } from '../../core/checks.ts'
import { t, type Words } from '../../messages/t.svelte.ts'

/** In characters; same as in the contract. */
const NAME_MAX = 80

export function accountName(value: string): Words | null {
  const name = value.trim()
  if (name.length > NAME_MAX) return () => t('details.name-long')
  return needed(name) ?? (isNameLine(name) ? null : () => t('details.name-line'))
}
