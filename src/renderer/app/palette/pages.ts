import ArrowDownUp from '@lucide/svelte/icons/arrow-down-up'
import Bell from '@lucide/svelte/icons/bell'
import CircleUser from '@lucide/svelte/icons/circle-user'
import LayoutList from '@lucide/svelte/icons/layout-list'
import LogIn from '@lucide/svelte/icons/log-in'
import Settings2 from '@lucide/svelte/icons/settings-2'
import SunMoon from '@lucide/svelte/icons/sun-moon'
import { chord } from '../../core/keys.ts'
import { panel } from '../../core/panel.svelte.ts'
import type { Route } from '../../core/routes/route.ts'
import { go } from '../../core/routes/router.svelte.ts'
import type { PaletteEntry } from '../../catalog/palette-entry.ts'
import { transfers } from '../../features/transfers/transfers.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'

const themes = ['system', 'light', 'dark'] as const

/** What leads to no server. */
export function pageEntries(): PaletteEntry[] {
  const page = (name: string, icon: PaletteEntry['icon'], to: Exclude<Route, { view: 'unknown' }>) => ({
    ...{ id: `page-${to.view}`, group: 'panel' as const, name, icon },
    choose: () => go(to),
  })
  return [
    page(t('rail.home'), LayoutList, { view: 'home' }),
    page(t('start.service'), LogIn, { view: 'sign-in', connectionId: null }),
    page(t('accounts.title'), CircleUser, { view: 'accounts' }),
    page(t('rail.notifications'), Bell, { view: 'notifications' }),
    {
      ...{ id: 'transfers', group: 'panel', name: t('transfers.title'), icon: ArrowDownUp, keys: chord('J') },
      choose: () => transfers.show(),
    },
    page(t('rail.settings'), Settings2, { view: 'settings' }),
    ...themes.map((theme): PaletteEntry => ({
      ...{ id: `theme-${theme}`, group: 'panel', icon: SunMoon },
      name: t('palette.theme', { theme: t(`app-settings.theme-${theme}`) }),
      choose: () => void panel.change({ theme }).catch((thrown: unknown) => notifyProblem(thrown)),
    })),
  ]
}
