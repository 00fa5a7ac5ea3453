import { afterPicture } from '../../core/after-picture.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { locale } from '../../messages/t.svelte.ts'
import { part, type TabFeature, WHOLE } from '../feature.ts'

/** Of each server that is looked at its list, so that what was read before it was shown is shown at once. */
const lists = new WeakMap<ServerState, LiveView<'players.list'>>()

function listOf(server: ServerState): LiveView<'players.list'> {
  const { connectionId, serverId } = server
  const view = lists.get(server) ?? new LiveView('players.list', { connectionId, params: { serverId } })
  lists.set(server, view)
  return view
}

/** Puts the list in order before it is shown: of thousands that is most of what the click would wait for. */
async function sortBefore(view: LiveView<'players.list'>): Promise<void> {
  const [{ sortedPlayers }] = await Promise.all([import('./list/sorted-players.ts'), view.prepare()])
  const items = view.value?.items
  if (items) afterPicture(() => sortedPlayers(items, locale()))
}

export const players = {
  tab: 'players',
  prepare: (server) => {
    // What fails is told where it is shown.
    void import('./Players.svelte').catch(() => {})
    void sortBefore(listOf(server)).catch(() => {})
  },
  part: (server) => {
    const view = listOf(server)
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
