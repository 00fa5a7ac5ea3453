import { Lanes } from '../../contract/rules/lanes.ts'
import { LiveView } from '../core/live-view.svelte.ts'

/** Concurrent requests, and cache size. */
const AT_ONCE = 4
const KEPT = 300

const kept = new Map<string, Promise<string | null>>()
const requests = new Lanes({ atOnce: AT_ONCE })

/** Only data URLs of bitmap formats: nothing is fetched, and none of them can contain scripts. */
const isPicture = (address: string) =>
  /^data:image\/(?:png|jpeg|webp|gif|avif);base64,[\w+/=]+$/.test(address)

export function iconOf(connectionId: string, project: string): Promise<string | null> {
  const key = `${connectionId} ${project}`
  const known = kept.get(key)
  if (known) return known
  const coming = requests.run('', () => read(connectionId, project))
  kept.set(key, coming)
  // Evict the oldest; a map keeps insertion order.
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break
    kept.delete(oldest)
  }
  void coming.then((picture) => {
    if (picture === null) kept.delete(key)
  })
  return coming
}

async function read(connectionId: string, project: string): Promise<string | null> {
  const view = new LiveView('extensions.icon', { connectionId, query: { project } })
  await view.prepare()
  const picture = view.value?.picture
  return picture && isPicture(picture) ? picture : null
}
