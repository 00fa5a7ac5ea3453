import type { Server } from '../../contract/bridge/values.ts'

/** Servers by their folder. Those without one come first, as on a desk; the folders follow by name. */
export function byGroup(servers: readonly Server[]): [folder: string | null, servers: Server[]][] {
  const groups = new Map<string | null, Server[]>()
  for (const server of servers) {
    const folder = server.group?.trim() || null
    const group = groups.get(folder)
    if (group) group.push(server)
    else groups.set(folder, [server])
  }
  return [...groups].sort(([a], [b]) => (a === null ? -1 : b === null ? 1 : a.localeCompare(b)))
}
