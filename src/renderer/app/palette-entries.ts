import { panel } from '../core/panel.svelte.ts'
import type { Route } from '../core/routes/route.ts'
import { go } from '../core/routes/router.svelte.ts'
import type { PaletteEntry } from '../features/feature.ts'
import { features, tabNames } from './features.ts'

export function paletteEntries(at: Route): PaletteEntry[] {
  const all = [...features.flatMap(({ palette }) => palette?.(at) ?? []), ...tabEntries(at)]
  return (['here', 'servers', 'panel'] as const).flatMap((group) =>
    all.filter((entry) => entry.group === group),
  )
}

function tabEntries(at: Route): PaletteEntry[] {
  if (at.view !== 'server') return []
  const server = panel.server(at.connectionId, at.serverId)
  if (!server) return []
  return tabNames(server).map(({ value: tab, label }) => ({
    id: `tab-${tab}`,
    group: 'here',
    name: label,
    note: '',
    choose: () => go({ ...at, tab }),
  }))
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
