import type { Server } from '../../contract/bridge/values.ts'
import { panel } from '../core/panel.svelte.ts'
import { useTabs, type Tab } from '../core/routes/route.ts'
import { access } from '../features/access/index.ts'
import { activity } from '../features/activity/index.ts'
import { appSettings } from '../features/app-settings/index.ts'
import { connections } from '../features/connection/index.ts'
import { console } from '../features/console/index.ts'
import { editor } from '../features/editor/index.ts'
import { extensions } from '../features/extensions/index.ts'
import type { Feature, TabFeature } from '../features/feature.ts'
import { files } from '../features/files/index.ts'
import { notifications } from '../features/notifications/index.ts'
import { overview } from '../features/overview/index.ts'
import { players } from '../features/players/index.ts'
import { power } from '../features/server/index.ts'
import { settings } from '../features/settings/index.ts'
import { software } from '../features/software/index.ts'
import { signIn } from '../features/sign-in/index.ts'
import { accounts, start } from '../features/start/index.ts'
import { transfers } from '../features/transfers/index.ts'
import { t } from '../messages/t.svelte.ts'

/** In tab order. Tabs, their keys and addresses, and the server page derive from this. */
export const areas = [
  overview,
  console,
  files,
  players,
  software,
  extensions,
  access,
  activity,
  settings,
] as const

declare module '../core/routes/route.ts' {
  interface TabRegister {
    tab: (typeof areas)[number]['tab']
  }
}

export const tabs: readonly Tab[] = areas.map(({ tab }) => tab)

export const withTabs: readonly TabFeature<Tab>[] = areas

export const tabNames = (server: Server | null): { value: Tab; label: string }[] =>
  withTabs.map(({ tab, nameAt }) => ({ value: tab, label: nameAt?.(server) ?? t(`tab.${tab}`) }))

export const features: readonly Feature[] = [
  power,
  ...withTabs,
  editor,
  start,
  connections,
  signIn,
  accounts,
  notifications,
  transfers,
  appSettings,
]

export const atConnection = features.flatMap((feature) => feature.atConnection ?? [])

/** Registers features with the layers below. Call once, before the panel starts. */
export function useFeatures(): void {
  useTabs(tabs)
  for (const { keepOf } of features) if (keepOf) panel.forgetsWith(keepOf)
}
