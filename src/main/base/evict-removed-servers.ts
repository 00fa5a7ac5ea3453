/** Servers that a connection no longer lists and of which something is held all the same: a list can miss one for once. */
const GONE_MOST = 100

/**
 * Bounds what is held by connection and server, whose keys are `connection\nserver`: of the servers that a connection no
 * longer has, those held longest are let go. A service could list others each time.
 */
export function evictRemovedServers(
  held: Map<string, unknown>,
  connectionId: string,
  serverIds: ReadonlySet<string>,
): void {
  const before = `${connectionId}\n`
  const gone = [...held.keys()].filter(
    (key) => key.startsWith(before) && !serverIds.has(key.slice(before.length)),
  )
  for (const key of gone.slice(0, Math.max(0, gone.length - GONE_MOST))) held.delete(key)
}
