import { afterPicture } from '../../core/after-picture.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { locale } from '../../messages/t.svelte.ts'
import { part, type TabFeature, WHOLE } from '../feature.ts'

/** Preloaded per server, so the list is there when the tab opens. */
const lists = new WeakMap<ServerState, LiveView<'players.list'>>()

function listOf(server: ServerState): LiveView<'players.list'> {
  const { connectionId, serverId } = server
  const view = lists.get(server) ?? new LiveView('players.list', { connectionId, params: { serverId } })
  lists.set(server, view)
  return view
}

/** Sorting thousands of players would otherwise delay the click. */
async function sortBefore(view: LiveView<'players.list'>): Promise<void> {
  const [{ sortedPlayers }] = await Promise.all([import('./list/sorted-players.ts'), view.prepare()])
  const items = view.value?.items
  if (items) afterPicture(() => sortedPlayers(items, locale()))
}

export const players = {
  tab: 'players',
  needs: 'players.read',
  prepare: (server) => {
    // The tab reports load failures.
    void import('./Players.svelte').catch(() => {})
    void sortBefore(listOf(server)).catch(() => {})
  },
  part: (server) => {
    const view = listOf(server)
    const load = () => {
      // Load the data and the code in parallel.
      const letGo = view.hold()
      const loading = import('./Players.svelte')
      // Release after drawing, when the tab uses the view itself.
      const drawn = () => setTimeout(letGo)
      loading.then(drawn, drawn)
      return loading
    }
    return part(load, { server, view }, WHOLE)
  },
} as const satisfies TabFeature
