import { asOneLine } from '../../contract/messages/one-line.ts'
import type { HostOperations } from '../base/adapter.ts'
import { Allocation } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import { type PanelServers, pathOf } from './servers.ts'

const PORTS_MOST = 500
const TEXT_MOST = 300

/** Addresses and ports that the machine lets the server have: allocations, as the panel calls them. */
export const portsOf = (api: PanelApi, servers: PanelServers): HostOperations => ({
  'hosting.ports': async (caller) => {
    const id = caller.params.serverId
    const [{ items }, { feature_limits: limits }] = await Promise.all([
      api.listed(folderOf(id), Allocation, caller),
      servers.details(id, caller),
    ])
    const ports = items.flatMap(({ id: portId, ip, ip_alias: alias, port, notes, is_default: isPrimary }) => {
      if (!portId || typeof port !== 'number') return []
      const host = (alias ?? ip)?.slice(0, TEXT_MOST)
      return [{ id: portId, host, port, note: notes && asOneLine(notes).slice(0, TEXT_MOST), isPrimary }]
    })
    return { ports: ports.slice(0, PORTS_MOST), most: limits?.allocations }
  },
  'hosting.add-port': (caller) => api.send(folderOf(caller.params.serverId), caller, { method: 'POST' }),
  'hosting.change-port': async (caller) => {
    const { note, isPrimary } = caller.body
    const path = portOf(caller.params)
    if (note !== undefined) await api.send(path, caller, { method: 'POST', json: { notes: note } })
    if (isPrimary) await api.send(`${path}/primary`, caller, { method: 'POST' })
  },
  'hosting.remove-port': (caller) => api.send(portOf(caller.params), caller, { method: 'DELETE' }),
})

const folderOf = (serverId: string): string => `${pathOf(serverId)}/network/allocations`
const portOf = ({ serverId, portId }: { serverId: string; portId: string }): string =>
  `${folderOf(serverId)}/${encodeURIComponent(portId)}`
