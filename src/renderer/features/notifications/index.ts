import { go } from '../../core/routes/router.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { ofPanel, type Feature } from '../feature.ts'

export const notifications: Feature = {
  palette: () => [ofPanel('notifications', t('rail.notifications'), () => go({ view: 'notifications' }))],
}
