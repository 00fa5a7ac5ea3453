/** Selected servers by `keyOf`; null while not selecting. */
let picked = $state.raw<ReadonlySet<string> | null>(null)

export const pickedNow = (): ReadonlySet<string> | null => picked

export function setPicked(next: ReadonlySet<string> | null): void {
  picked = next
}

export const keyOf = (connectionId: string, serverId: string): string => `${connectionId}\n${serverId}`
