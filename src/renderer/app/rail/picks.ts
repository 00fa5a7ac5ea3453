import type { ServerRef } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { rails } from '../../core/rails.svelte.ts'
import { keyOf, pickedNow, setPicked } from './rail-tools.svelte.ts'
import { type RailSection, sectionsOf } from './rail-sections.ts'

let anchor: string | null = null

/** Selected servers that still exist, in list order. */
export function pickedServers(): ServerRef[] {
  const picked = pickedNow()
  return picked ? allServers().filter((one) => picked.has(keyOf(one.connectionId, one.serverId))) : []
}

function allServers(isIn: (section: RailSection) => boolean = () => true): ServerRef[] {
  return (panel.connections ?? []).flatMap(({ id: connectionId }) =>
    sectionsOf(panel.servers(connectionId).value?.items ?? [], rails.of(connectionId))
      .filter(isIn)
      .flatMap(({ servers }) => servers.map(({ id: serverId }) => ({ connectionId, serverId }))),
  )
}

export function togglePicks(servers: readonly ServerRef[]): void {
  const keys = servers.map(({ connectionId, serverId }) => keyOf(connectionId, serverId))
  const next = new Set(pickedNow())
  const isOn = keys.every((key) => next.has(key))
  for (const key of keys)
    if (isOn) next.delete(key)
    else next.add(key)
  anchor = keys[0] ?? null
  setPicked(next.size > 0 ? next : null)
}

/** Selects what is shown from the last selected server to this one. */
export function pickRange(to: ServerRef): void {
  const shown = allServers(({ collapsed }) => !collapsed).map(({ connectionId, serverId }) =>
    keyOf(connectionId, serverId),
  )
  const end = shown.indexOf(keyOf(to.connectionId, to.serverId))
  const start = anchor === null ? end : shown.indexOf(anchor)
  const from = start === -1 ? end : start
  anchor ??= shown[end] ?? null
  setPicked(new Set([...(pickedNow() ?? []), ...shown.slice(Math.min(from, end), Math.max(from, end) + 1)]))
}

export function clearPicks(): void {
  anchor = null
  setPicked(null)
}
