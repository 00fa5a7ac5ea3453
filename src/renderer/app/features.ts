import { panel } from '../core/panel.svelte.ts'
import { type Section, type Tab, useTabs } from '../core/routes/route.ts'
import { type PlaceContext, refusalOf } from '../core/servers/place.ts'
import { access } from '../features/access/index.ts'
import { activity } from '../features/activity/index.ts'
import { backups } from '../features/backups/index.ts'
import { console } from '../features/console/index.ts'
import { editor } from '../features/editor/index.ts'
import { extensions } from '../features/extensions/index.ts'
import type { Feature, SectionFeature, TabFeature } from '../features/feature.ts'
import { files } from '../features/files/index.ts'
import { databases, ports } from '../features/hosting/index.ts'
import { move } from '../features/move/index.ts'
import { overview } from '../features/overview/index.ts'
import { players } from '../features/players/index.ts'
import { danger, general, java, properties, proxy, settings, startup } from '../features/settings/index.ts'
import { schedules } from '../features/schedules/index.ts'
import { software } from '../features/software/index.ts'
import { t } from '../messages/t.svelte.ts'

/** Tabs, and sections of settings, in order. Their keys and addresses, and the server page derive from this. */
const places = [
  ...[overview, console, players, files, extensions, settings],
  ...[general, properties, proxy, java, startup, software, databases, ports, backups, schedules, access],
  ...[activity, move, danger],
] as const
type FeatureWith<Kind extends 'tab' | 'section'> = Extract<(typeof places)[number], Record<Kind, string>>

declare module '../core/routes/route.ts' {
  interface TabRegister {
    tab: FeatureWith<'tab'>['tab']
    section: FeatureWith<'section'>['section']
  }
}

export const withTabs: readonly TabFeature<Tab>[] = places.filter((place) => 'tab' in place)
export const sections: readonly SectionFeature<Section>[] = places.filter((place) => 'section' in place)

/** The tabs that somebody is offered at a server, in the order of their keys. */
export const tabsFor = (of: PlaceContext): { value: Tab; label: string }[] =>
  withTabs
    .filter((tab) => refusalOf(tab, of) === null)
    .map(({ tab, nameAt }) => ({ value: tab, label: nameAt?.(of.server) ?? t(`tab.${tab}`) }))

export const contextOf = (connectionId: string, serverId: string): PlaceContext => ({
  server: panel.server(connectionId, serverId),
  connection: panel.connection(connectionId),
})

const features: readonly Feature[] = [...withTabs, ...sections, editor]

export const atConnection = features.flatMap((feature) => feature.atConnection ?? [])

/** Registers features with the layers below. Call once, before the panel starts. */
export function useFeatures(): void {
  useTabs(
    withTabs.map(({ tab }) => tab),
    sections.map(({ section }) => section),
  )
  for (const { keepOf } of features) if (keepOf) panel.forgetsWith(keepOf)
}
