import type { Scope } from '../../../contract/declarations/operation.ts'
import type { Connection, Server } from '../../../contract/bridge/values.ts'
import { missingScope } from './power.ts'
import { LiveView } from '../live-view.svelte.ts'
import { panel } from '../panel.svelte.ts'

/** What opens a place. A test compares it with the operation that the place is for. */
export type Permission =
  | Extract<
      Scope,
      | 'console.read'
      | 'players.read'
      | 'files.read'
      | 'extensions.read'
      | 'config.read'
      | 'software.write'
      | 'activity.read'
      | 'backups.read'
      | 'schedules.read'
      | 'startup.read'
      | 'databases.read'
      | 'ports.read'
    >
  | 'owner'

/** What a server can't have, or its service has not. */
export type Absence = 'extensions' | 'access' | 'properties' | 'proxy' | 'config' | 'schedules' | 'hosting'

export interface PlaceContext {
  server: Server | null
  connection: Connection | null
}

/** A tab of a server or a section of its settings. */
export interface Place {
  needs?: Permission
  /** Opens it too, for a part of what it shows. */
  orNeeds?: Permission
  absent?: (of: PlaceContext) => Absence | null
}

export type Refusal = { kind: 'no-access'; needs: Permission } | { kind: 'absent'; what: Absence }

/** For what only hosts have. */
export const atHosts = ({ connection }: PlaceContext): Absence | null =>
  connection?.kind === 'host' ? null : 'hosting'

/** Why somebody can't be offered a place, or null. An unknown role or software hides nothing. */
export function refusalOf({ needs, orNeeds, absent }: Place, of: PlaceContext): Refusal | null {
  const what = absent?.(of) ?? null
  if (what !== null) return { kind: 'absent', what }
  const role = of.server?.role
  if (needs === undefined || !Array.isArray(role)) return null
  const lacks = (scope: Permission) => scope === 'owner' || missingScope(role, [scope]) !== null
  const isRefused = lacks(needs) && (orNeeds === undefined || lacks(orNeeds))
  return isRefused ? { kind: 'no-access', needs } : null
}

/** What a service may have nothing of, and the list that tells. */
const LISTS = { backups: 'backups.list', schedules: 'schedules.list' } as const
type ServiceArea = keyof typeof LISTS

const views = new Map<string, LiveView<(typeof LISTS)[ServiceArea]>>()

/** Whether another service was found to have no such area. One of its servers is asked for all. */
export function lacksArea(area: ServiceArea, { server, connection }: PlaceContext): boolean {
  if (!server || !connection || connection.kind === 'local') return false
  if (missingScope(server.role, [`${area}.read`]) !== null) return false
  const [{ id: connectionId }, key] = [connection, `${connection.id}/${area}`]
  let view = views.get(key)
  if (!view || panel.server(connectionId, view.input.params.serverId) === null) {
    view = new LiveView(LISTS[area], { connectionId, params: { serverId: server.id } })
    views.set(key, view)
  }
  return view.value === null && view.problem?.code === 'unavailable'
}
