import Folder from '@lucide/svelte/icons/folder'
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard'
import Puzzle from '@lucide/svelte/icons/puzzle'
import Settings from '@lucide/svelte/icons/settings'
import Terminal from '@lucide/svelte/icons/terminal'
import Users from '@lucide/svelte/icons/users'
import { panel } from '../../core/panel.svelte.ts'
import type { Route, Section, Tab } from '../../core/routes/route.ts'
import { go } from '../../core/routes/router.svelte.ts'
import { type PlaceContext, refusalOf } from '../../core/servers/place.ts'
import { connectionEntries } from '../../features/connection/palette.ts'
import { extensionEntries } from '../../features/extensions/palette.ts'
import type { SectionFeature } from '../../features/feature.ts'
import { fileEntries } from '../../features/files/palette.ts'
import type { PaletteEntry, PaletteServer } from '../../catalog/palette-entry.ts'
import { playerEntries } from '../../features/players/palette.ts'
import { powerByName, powerEntries } from '../../features/server/palette.ts'
import { propertyEntries } from '../../features/settings/properties/palette.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { pageEntries } from './pages.ts'
import type { ServerThings } from './server-things.svelte.ts'
import Archive from '@lucide/svelte/icons/archive'
import { backUp, mayBackUp } from '../../catalog/servers/server-menu.ts'

const tabIcons: Record<Tab, PaletteEntry['icon']> = {
  overview: LayoutDashboard,
  console: Terminal,
  players: Users,
  files: Folder,
  extensions: Puzzle,
  settings: Settings,
}

/** The places of a server, which the registry of features knows. */
export interface Places {
  tabsFor: (of: PlaceContext) => readonly { value: Tab; label: string }[]
  sections: readonly SectionFeature<Section>[]
}

export function serverAt(at: Route): PaletteServer | null {
  if (at.view !== 'server') return null
  const { connectionId, serverId } = at
  const server = panel.server(connectionId, serverId)
  return server && { connectionId, serverId, server }
}

/** Places and actions first; what has to be named only once something is typed. */
export function paletteEntries(
  at: Route,
  known: Places,
  things: ServerThings | null,
  typed: string,
): PaletteEntry[] {
  const here = serverAt(at)
  const places = [
    ...(here
      ? [
          ...powerEntries(here),
          ...backupEntries(here),
          ...placeEntries(here, known),
          ...extensionEntries(here),
        ]
      : []),
    ...connectionEntries(at),
    ...pageEntries(),
  ]
  const players = here && things ? playerEntries(here, things.acts, things.players, typed) : []
  if (typed.trim() === '') {
    const ofServer = places.filter(({ group }) => group === 'here')
    return [...ofServer, ...players, ...places.filter(({ group }) => group !== 'here')]
  }
  const named = here && things
  return [
    ...places,
    ...powerByName(typed),
    ...players,
    ...(named ? propertyEntries(here, things.properties) : []),
    ...(named ? fileEntries(here, things.files, typed) : []),
  ]
}

function placeEntries(
  { connectionId, serverId, server }: PaletteServer,
  { tabsFor, sections }: Places,
): PaletteEntry[] {
  const of = { server, connection: panel.connection(connectionId) }
  const tabs = tabsFor(of).map(({ value: tab, label }, index): PaletteEntry => ({
    ...{ id: `tab-${tab}`, group: 'here', name: label, icon: tabIcons[tab] },
    keys: `${t('key.alt')} ${index + 1}`,
    choose: () => go({ view: 'server', connectionId, serverId, tab }),
  }))
  const offered = sections.filter((section) => refusalOf(section, of) === null)
  const ofSettings = offered.map(({ section }): PaletteEntry => ({
    ...{ id: `section-${section}`, group: 'here', name: t(`tab.${section}`), icon: Settings },
    choose: () => go({ view: 'server', connectionId, serverId, tab: 'settings', section }),
  }))
  return [...tabs, ...ofSettings]
}

/** What fits, best first, and which is chosen at first: never one that cannot be done. */
export interface Matches {
  entries: PaletteEntry[]
  first: number
}

const MOST = 60

/**
 * Ranking: the name, its beginning, beginnings of its words, a part of it, a part of all that is known, letters in
 * order if nothing else fits. What can be done comes first, except after the very name of what cannot: then Enter does
 * nothing else instead.
 */
export function bestMatches(entries: readonly PaletteEntry[], typed: string): Matches {
  const wanted = typed.trim().toLocaleLowerCase()
  if (wanted === '') return { entries: entries.filter(({ reason }) => !reason).slice(0, MOST), first: 0 }
  const scored = entries
    .map((entry) => ({ entry, score: fit(entry, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const fitting = scored.some(({ score }) => score > 1) ? scored.filter(({ score }) => score > 1) : scored
  const best = fitting[0]
  const isRefused = best?.score === EXACT && Boolean(best.entry.reason)
  const order = (entry: PaletteEntry) => (isRefused && entry === best.entry ? 0 : entry.reason ? 2 : 1)
  const found = fitting
    .map(({ entry }) => entry)
    .sort((a, b) => order(a) - order(b))
    .slice(0, MOST)
  return { entries: found, first: isRefused || found[0]?.reason ? -1 : 0 }
}

const EXACT = 6

function fit({ name: shown, note = '', also = '' }: PaletteEntry, wanted: string): number {
  const name = shown.toLocaleLowerCase().replace(/\s?…$/, '')
  if (name === wanted) return EXACT
  if (name.startsWith(wanted)) return 5
  const words = name.split(/[\s_-]+/)
  const all = `${name} ${note} ${also}`.toLocaleLowerCase()
  const typed = wanted.split(/\s+/)
  if (name.includes(` ${wanted}`) || typed.every((one) => words.some((word) => word.startsWith(one))))
    return 4
  if (name.includes(wanted)) return 3
  if (typed.every((one) => all.includes(one))) return 2
  let at = 0
  for (const letter of name) if (letter === wanted[at]) at += 1
  return at === wanted.length ? 1 : 0
}

function backupEntries({ connectionId, serverId }: PaletteServer): PaletteEntry[] {
  const ref = { connectionId, serverId }
  if (!mayBackUp(ref)) return []
  return [
    {
      ...{ id: 'back-up', group: 'here', name: t('power.back-up'), icon: Archive },
      choose: () => void backUp(ref),
    },
  ]
}
