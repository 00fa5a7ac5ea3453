import { LiveView } from '../../core/live-view.svelte.ts'
import { part, type TabFeature, WHOLE } from '../feature.ts'

export const players = {
  tab: 'players',
  part: (server) => {
    const { connectionId, serverId } = server
    const view = new LiveView('players.list', { connectionId, params: { serverId } })
    const load = () => {
      // The list of a large server takes longer than what shows it: both are on their way at once.
      void view.read()
      return import('./Players.svelte')
    }
    return part(load, { server, view }, WHOLE)
  },
} as const satisfies TabFeature
