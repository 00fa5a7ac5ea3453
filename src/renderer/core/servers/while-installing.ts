import type { StatusKind } from './status.ts'

/** Whether the installation still runs. Create it before sending: it may finish before the reply. */
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
