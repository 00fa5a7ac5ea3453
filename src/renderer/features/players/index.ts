import { LiveView } from '../../core/live-view.svelte.ts'
import { part, type TabFeature, WHOLE } from '../feature.ts'

export const players = {
  tab: 'players',
  part: (server) => {
    const { connectionId, serverId } = server
    const view = new LiveView('players.list', { connectionId, params: { serverId } })
    const load = () => {
      // The list of a large server takes longer than what shows it: both are on their way at once.
      const letGo = view.hold()
      const loading = import('./Players.svelte')
      // In the task after the one that draws it: by then it reads the view itself.
      const drawn = () => setTimeout(letGo)
      loading.then(drawn, drawn)
      return loading
    }
    return part(load, { server, view }, WHOLE)
  },
} as const satisfies TabFeature
