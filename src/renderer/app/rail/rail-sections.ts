import type { Server } from '../../../contract/bridge/values.ts'
import { groupFolder, isGroupFolder } from '../../../contract/rules/rail-groups.ts'
import type { RailArrangement } from '../../../contract/rules/rail.ts'

/** A folder of the list with the servers that are there now, or those outside of every folder. */
export interface RailSection {
  /** Null outside of every folder. */
  id: string | null
  name: string
  collapsed: boolean
  servers: Server[]
}

/**
 * Servers as a person arranged them. Those outside of folders come first, as on a desk. A server that nobody has placed
 * follows the others: in the folder of its group, where the service names one.
 */
export function sectionsOf(servers: readonly Server[], rail?: RailArrangement): RailSection[] {
  const left = new Map(servers.map((server) => [server.id, server]))
  const take = (id: string): Server[] => {
    const server = left.get(id)
    left.delete(id)
    return server ? [server] : []
  }
  const loose = { id: null, name: '', collapsed: false, servers: rail?.loose ?? [] }
  const sections = [loose, ...(rail?.folders ?? [])].map((folder): RailSection => {
    return { ...folder, servers: folder.servers.flatMap(take) }
  })
  const groups: RailSection[] = []
  for (const server of left.values()) {
    const name = server.group?.trim() ?? ''
    const id = name && groupFolder(name)
    let section = id ? [...sections, ...groups].find((one) => one.id === id) : sections[0]
    if (!section) groups.push((section = { id, name, collapsed: false, servers: [] }))
    section.servers.push(server)
  }
  // That of a group is there for as long as its servers are.
  const shown = sections.filter(({ id, servers: items }) => !id || items.length > 0 || !isGroupFolder(id))
  return [...shown, ...groups.sort((a, b) => a.name.localeCompare(b.name))]
}
