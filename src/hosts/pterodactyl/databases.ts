import type { HostDatabase } from '../../contract/areas/hosting.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { type HostOperations, HostRefusal, hostRefusal } from '../base/adapter.ts'
import { PanelDatabase } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import { type PanelServers, pathOf } from './servers.ts'

const DATABASES_MOST = 500
const TEXT_MOST = 300

/** MySQL or MariaDB beside the server. Passwords are asked for one at a time, and only then. */
export const databasesOf = (api: PanelApi, servers: PanelServers): HostOperations => ({
  'hosting.databases': async (caller) => {
    const id = caller.params.serverId
    const [{ items }, { feature_limits: limits }] = await Promise.all([
      api.listed(folderOf(id), PanelDatabase, caller),
      servers.details(id, caller),
    ])
    return {
      databases: items.slice(0, DATABASES_MOST).map(({ id: databaseId, name, username, host, ...more }) => ({
        ...{ id: databaseId, name: shown(name), user: username && shown(username) },
        ...{ host: host?.address && shown(host.address), port: host?.port ?? null },
        from: more.connections_from && shown(more.connections_from),
      })) satisfies HostDatabase[],
      most: limits?.databases,
    }
  },
  'hosting.add-database': async (caller) => {
    const json = { database: caller.body.name, remote: '%' }
    try {
      await api.send(folderOf(caller.params.serverId), caller, { method: 'POST', json })
    } catch (error) {
      const { told, message, fields } = error as Partial<HostRefusal>
      if (!(error instanceof HostRefusal) || !fields?.['database']) throw error
      throw new HostRefusal(422, told ?? message ?? '', { fields: { name: fields['database'] } })
    }
  },
  'hosting.database-password': async (caller) => {
    const { serverId, databaseId } = caller.params
    const { items } = await api.listed(folderOf(serverId), PanelDatabase, caller, { include: 'password' })
    const found = items.find(({ id }) => id === databaseId)
    if (!found) throw hostRefusal(404, 'host.not-found')
    return { password: found.relationships?.password?.attributes?.password ?? null }
  },
  'hosting.renew-password': (caller) =>
    api.send(`${databaseOf(caller.params)}/rotate-password`, caller, { method: 'POST' }),
  'hosting.remove-database': (caller) => api.send(databaseOf(caller.params), caller, { method: 'DELETE' }),
})

const shown = (text: string): string => asOneLine(text).slice(0, TEXT_MOST)
const folderOf = (serverId: string): string => `${pathOf(serverId)}/databases`
const databaseOf = ({ serverId, databaseId }: { serverId: string; databaseId: string }): string =>
  `${folderOf(serverId)}/${encodeURIComponent(databaseId)}`
