import { panel } from '../../core/panel.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'
import { ofPanel, type Feature } from '../feature.ts'

const themes = ['system', 'light', 'dark'] as const

export const appSettings: Feature = {
  palette: () => [
    ofPanel('settings', t('rail.settings'), () => go({ view: 'settings' })),
    ...themes.map((theme) =>
      ofPanel(
        `theme-${theme}`,
        t('palette.theme', { theme: t(`app-settings.theme-${theme}`) }),
        () => void panel.change({ theme }).catch((thrown: unknown) => notifyProblem(thrown)),
      ),
    ),
  ],
}
