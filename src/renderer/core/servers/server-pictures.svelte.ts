import { Lanes } from '../../../contract/rules/lanes.ts'
import { LiveView } from '../live-view.svelte.ts'
import { panel } from '../panel.svelte.ts'
import { rails } from '../rails.svelte.ts'

/** Concurrent requests per connection; pictures cached for rows that scroll back into view. */
const AT_ONCE = 2
const KEPT = 300
const SIDE = 64
const BEGINS = 'data:image/png;base64,'
/** The bytes of a PNG up to its dimensions, and their length in base64. */
const HEADER_BYTES = 24
const HEADER_LENGTH = (HEADER_BYTES / 3) * 4

const kept = new Map<string, string | null>()

const requests = new Lanes({ perLane: AT_ONCE })

/** Returns a stop function. Chosen letters stay, and a color frames the icon. */
export function show(mark: HTMLElement, connectionId: string, serverId: string): () => void {
  const key = `${connectionId} ${serverId}`
  const view = new LiveView('servers.icon', { connectionId, params: { serverId } })
  let asks = $state(false)
  const released = Promise.withResolvers<void>()
  let gone = false
  void requests.run(connectionId, () => {
    if (gone) return
    asks = true
    return released.promise
  })
  const stop = $effect.root(() => {
    $effect(() => {
      // Cached pictures are stale until the service has answered.
      if (asks && (view.kind === 'shown' || view.problem)) released.resolve()
      if (asks && view.value) keep(key, isIcon(view.value.picture) ? view.value.picture : null)
      draw(mark, kept.get(key) ?? null, connectionId, serverId)
    })
  })
  return () => {
    gone = true
    stop()
    released.resolve()
    draw(mark, null, connectionId, serverId)
  }
}

function draw(mark: HTMLElement, picture: string | null, connectionId: string, serverId: string): void {
  const chosen = rails.of(connectionId)?.marks.find((one) => one.serverId === serverId)
  const away = panel.reach(connectionId) !== 'ready'
  if (picture === null || chosen?.icon) {
    delete mark.dataset.pictured
    mark.style.removeProperty('--picture')
    return
  }
  // In wide lists an unmarked server has no room for letters: the icon covers its status.
  mark.dataset.pictured = chosen || !mark.closest('[data-row]') ? 'in' : 'over'
  mark.style.setProperty('--picture', `url("${picture}")`)
  mark.toggleAttribute('data-away', away)
}

/** A data URL of a PNG in Minecraft's size: nothing is fetched, and nothing decodes to a huge image. */
function isIcon(address: string | null): address is string {
  if (!address?.startsWith(BEGINS) || !/^[\w+/=]+$/.test(address.slice(BEGINS.length))) return false
  try {
    const header = atob(address.slice(BEGINS.length, BEGINS.length + HEADER_LENGTH))
    const number = (at: number) =>
      [0, 1, 2, 3].reduce((sum, next) => sum * 256 + header.charCodeAt(at + next), 0)
    return header.startsWith('\x89PNG\r\n\x1a\n') && number(16) === SIDE && number(20) === SIDE
  } catch {
    return false
  }
}

function keep(key: string, picture: string | null): void {
  kept.delete(key)
  kept.set(key, picture)
  // Evict the oldest; a map keeps insertion order.
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break
    kept.delete(oldest)
  }
}
