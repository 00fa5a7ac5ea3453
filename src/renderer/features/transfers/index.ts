import { t } from '../../messages/t.svelte.ts'
import { ofPanel, type Feature } from '../feature.ts'
import { transfers as shown } from './transfers.svelte.ts'

export const transfers: Feature = {
  palette: () => [ofPanel('transfers', t('transfers.title'), () => shown.show())],
}
