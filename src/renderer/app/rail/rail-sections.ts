import type { Server } from '../../../contract/bridge/values.ts'
import type { RailArrangement } from '../../../contract/rules/rail/rail.ts'

/** A folder with its existing servers, or those outside all folders. */
export interface RailSection {
  id: string | null
  name: string
  collapsed: boolean
  servers: Server[]
}

/** As arranged, those outside folders first; new servers come last, in their group's folder if they have one. */
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
  // A group's folder disappears with its last server.
  const shown = sections.filter(({ id, servers: items }) => !id || items.length > 0 || !isGroupFolder(id))
  return [...shown, ...groups.sort((a, b) => a.name.localeCompare(b.name))]
}

const GROUP = 'group:'

export const isGroupFolder = (id: string): boolean => id.startsWith(GROUP)

const groupFolder = (group: string): string => `${GROUP}${group.slice(0, 150)}`
