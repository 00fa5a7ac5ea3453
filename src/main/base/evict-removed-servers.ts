/** Missing servers to keep: a list may omit one temporarily. */
const GONE_MOST = 100

/** Bounds a map keyed by `connection server`: a service could list other servers each time. */
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
