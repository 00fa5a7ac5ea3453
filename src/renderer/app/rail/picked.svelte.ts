/** The servers that are selected in the list, by `keyOf`; null while nobody selects. */
let picked = $state.raw<ReadonlySet<string> | null>(null)

export const pickedNow = (): ReadonlySet<string> | null => picked

export function setPicked(next: ReadonlySet<string> | null): void {
  picked = next
}

export const keyOf = (connectionId: string, serverId: string): string => `${connectionId}\n${serverId}`
