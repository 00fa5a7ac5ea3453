import type { StatusKind } from './status.ts'

/**
 * Whether what is about to be begun with a server is still under way, for whoever says that it has begun. Made before it is
 * sent: it may be over before the answer is there.
 */
export function whileInstalling(server: {
  readonly kind: StatusKind
  readonly since: string | null
}): () => boolean {
  const before = server.since
  let wasSeen = false
  return () => {
    if (server.kind !== 'installing') return !wasSeen && server.since === before
    wasSeen = true
    return true
  }
}
