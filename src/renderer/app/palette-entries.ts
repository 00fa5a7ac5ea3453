import type { Route } from '../core/routes/route.ts'
import { go } from '../core/routes/router.svelte.ts'
import type { PaletteEntry } from '../features/feature.ts'
import { refusalOf } from '../core/servers/place.ts'
import { t } from '../messages/t.svelte.ts'
import { contextOf, features, sections, tabsFor } from './features.ts'

export function paletteEntries(at: Route): PaletteEntry[] {
  const all = [...features.flatMap(({ palette }) => palette?.(at) ?? []), ...tabEntries(at)]
  return (['here', 'servers', 'panel'] as const).flatMap((group) =>
    all.filter((entry) => entry.group === group),
  )
}

function tabEntries(at: Route): PaletteEntry[] {
  if (at.view !== 'server') return []
  const of = contextOf(at.connectionId, at.serverId)
  if (!of.server) return []
  const { connectionId, serverId } = at
  const tabs = tabsFor(of).map(({ value: tab, label }): PaletteEntry => ({
    ...{ id: `tab-${tab}`, group: 'here', name: label, note: '' },
    choose: () => go({ ...at, tab }),
  }))
  const offered = sections.filter((section) => refusalOf(section, of) === null)
  const ofSettings = offered.map(({ section }): PaletteEntry => ({
    ...{ id: `section-${section}`, group: 'here', name: t(`tab.${section}`), note: '' },
    choose: () => go({ view: 'server', connectionId, serverId, tab: 'settings', section }),
  }))
  return [...tabs, ...ofSettings]
}

/**
 * Ranking: prefix of the name, prefix of a word, substring of name or note, letters in order; others are dropped. While
 * nothing is typed, only what can be done now.
 */
export function bestMatches(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const wanted = typed.trim().toLocaleLowerCase()
  if (wanted === '') return entries.filter(({ reason }) => !reason)
  return (
    entries
      // Unavailable entries rank below equal matches.
      .map((entry) => ({ entry, score: fit(entry, wanted) - (entry.reason ? 0.5 : 0) }))
      .filter(({ score }) => score >= 0.5)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry)
  )
}

function fit(entry: PaletteEntry, wanted: string): number {
  const name = entry.name.toLocaleLowerCase()
  if (name === wanted) return 6
  if (name.startsWith(wanted)) return 5
  if (name.split(/[\s_-]+/).some((word) => word.startsWith(wanted))) return 4
  if (name.includes(wanted)) return 3
  const all = `${name} ${entry.note.toLocaleLowerCase()}`
  if (wanted.split(/\s+/).every((word) => all.includes(word))) return 2
  let at = 0
  for (const letter of name) if (letter === wanted[at]) at += 1
  return at === wanted.length ? 1 : 0
}
