import type { ItemResult } from '../../../../contract/bridge/values.ts'
import { said, t, type Words } from '../../../messages/t.svelte.ts'
import { notify } from '../../../ui/feedback/notices.svelte.ts'

/** For items whose outcome is unknown: neither success nor failure. */
export function tellUnconfirmed(count: number, name: Words): void {
  notify({
    tone: 'warning',
    text: () =>
      count === 1 ? t('files.unconfirmed-one', { name: name() }) : t('files.unconfirmed', { count }),
    more: () => t('files.unconfirmed-now'),
  })
}

export const reasonOf =
  ({ error }: ItemResult): Words =>
  () =>
    error ? said(error) : t('files.failed-unknown')
