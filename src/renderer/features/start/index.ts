import { go } from '../../core/routes/router.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { ofPanel, type Feature } from '../feature.ts'

export const start: Feature = {
  palette: () => [ofPanel('home', t('rail.home'), () => go({ view: 'home' }))],
}

export const accounts: Feature = {
  palette: () => [ofPanel('accounts', t('accounts.title'), () => go({ view: 'accounts' }))],
}
