import { LiveView } from '../live-view.svelte.ts'
import { panel } from '../panel.svelte.ts'
import type { PlaceContext } from './place.ts'
import { missingScope } from './power.ts'

/** What a service may have nothing of, and the list that tells. */
const LISTS = { backups: 'backups.list', schedules: 'schedules.list' } as const
export type ServiceArea = keyof typeof LISTS

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
