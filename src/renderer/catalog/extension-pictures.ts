import { LiveView } from '../core/live-view.svelte.ts'

/** Pictures that are asked for at once, and those that are kept. */
const AT_ONCE = 4
const KEPT = 300

const kept = new Map<string, Promise<string | null>>()
const waiting: (() => void)[] = []
let asked = 0

/** A picture is a few known kinds of bytes within its own address: never something that is fetched, or that can hold a program. */
const isPicture = (address: string) =>
  /^data:image\/(?:png|jpeg|webp|gif|avif);base64,[\w+/=]+$/.test(address)

/**
 * The picture of an extension as an address that holds it; null where there is none, or it could not be had. A few are asked
 * for at once, the others wait for their turn.
 */
export function iconOf(connectionId: string, project: string): Promise<string | null> {
  const key = `${connectionId} ${project}`
  const known = kept.get(key)
  if (known) return known
  const coming = inTurn(() => read(connectionId, project))
  kept.set(key, coming)
  // The oldest goes first: a map keeps the order in which they came.
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

async function inTurn<T>(act: () => Promise<T>): Promise<T> {
  if (asked >= AT_ONCE) await new Promise<void>((turn) => waiting.push(turn))
  else asked += 1
  try {
    return await act()
  } finally {
    const next = waiting.shift()
    // Its turn goes to the next one.
    if (next) next()
    else asked -= 1
  }
}
