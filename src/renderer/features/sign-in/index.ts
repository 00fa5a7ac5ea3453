import { go } from '../../core/routes/router.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { ofPanel, type Feature } from '../feature.ts'

export const signIn: Feature = {
  palette: () => [ofPanel('sign-in', t('start.service'), () => go({ view: 'sign-in', connectionId: null }))],
}
