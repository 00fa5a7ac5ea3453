import { api } from '../../../contract/areas/index.ts'
import type { Broadcast } from '../../base/windows.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { ADDED_MOST } from '../../views/cache/tables/added-table.ts'
import type { AreaHandlers } from '../../bridge/handlers.ts'
import type { Countdowns } from './countdowns.ts'
import { knows } from './known-server.ts'
import { playersPage } from './players-page.ts'
import type { Connections } from '../../accounts/connections.ts'
import type { Cache } from '../../views/cache/cache.ts'
import type { ServerTable } from '../../views/server-table.ts'
import type { ViewStore } from '../../views/cache/view-store.ts'
import type { Consoles } from '../../console/consoles.ts'
import type { PreviousVersions } from '../files/previous-versions.ts'
import type { TransferManager } from '../../transfers/transfers.ts'
import { type WriteSender, removeFromList } from '../../views/writes.ts'

export interface ServerDependencies {
  broadcast: Broadcast
  cache: Cache
  connections: Connections
  consoles: Consoles
  views: ViewStore
  writes: WriteSender
  servers: ServerTable
  former: PreviousVersions
  transfers: Pick<TransferManager, 'saveHere'>
  countdowns: Countdowns
}

export function serverCalls(rooms: ServerDependencies): AreaHandlers<'servers'> {
  const { broadcast, cache, connections, consoles, views, writes, servers, former, transfers, countdowns } =
    rooms
  return {
    'servers.countdowns': () => countdowns.list(),
    'servers.begin-countdown': ({ action, language, ...server }) =>
      countdowns.begin(server, action, language),
    'servers.cancel-countdown': (server) => countdowns.cancel(server),
    async 'servers.add'({ connectionId, serverId, unseen }) {
      const client = connections.client(connectionId)
      if (!unseen && !(await knows(client, serverId)))
        throw problem('not-found', localized('servers.not-known', { id: serverId }), {
          serviceCode: 'panel.server-unknown',
        })
      if (!(await cache.addServer(connectionId, serverId)))
        throw problem('conflict', localized('servers.too-many-added', { most: ADDED_MOST }))
      await views.refresh({ view: 'servers.list', connectionId })
    },
    async 'servers.forget'(server) {
      const { connectionId, serverId } = server
      // Local data stays for when the server is added again; signing out wipes it.
      await cache.forgetAdded(connectionId, serverId)
      await removeFromList(views, server)
      await views.refresh({ view: 'servers.list', connectionId })
    },
    async 'servers.remove'({ confirm, code, ...server }) {
      const { connectionId, serverId } = server
      const input = { params: { serverId }, query: { confirm } }
      await writes.send(api.servers.remove, server, input, { secondFactor: code })
      // Local data is irreplaceable: wipe it only once the service no longer has the server.
      if (!(await isGone(connections.client(connectionId), serverId))) return
      await views.forget(connectionId, serverId)
      await former.wipe(connectionId, serverId)
      await cache.wipeServer(connectionId, serverId)
      broadcast('rail', await cache.rail(connectionId))
      await removeFromList(views, server)
      consoles.reconnect(connectionId)
    },

    async 'servers.save-crash-log'({ connectionId, serverId }) {
      const input = { params: { serverId } }
      const { value } = await connections.client(connectionId).send(api.crashes.crashLog, input)
      return { path: await transfers.saveHere(`crash-${nameOf(serverId)}.log`, `${value.text}\n`) }
    },

    async 'servers.save-players-list'({ connectionId, serverId, words }) {
      const input = { params: { serverId } }
      const { value } = await connections.client(connectionId).send(api.modpacks.players, input)
      return { path: await transfers.saveHere(`players-${nameOf(serverId)}.html`, playersPage(value, words)) }
    },

    async 'servers.reset'({ keep, code, ...server }) {
      const input = { params: { serverId: server.serverId }, body: { keep } }
      await writes.send(api.servers.reset, server, input, { secondFactor: code })
    },
    async 'servers.database-password'({ connectionId, serverId, databaseId }) {
      const input = { params: { serverId, databaseId } }
      return (await connections.client(connectionId).send(api.hosting.databasePassword, input)).value
    },
    'servers.samples': (server) => servers.graphs(server),
  }
}

const nameOf = (serverId: string): string => serverId.replaceAll(/[^a-z0-9-]+/gi, '-').slice(0, 60)

async function isGone(client: ApiClient, serverId: string): Promise<boolean> {
  try {
    await client.send(api.servers.read, { params: { serverId } })
    return false
  } catch (error) {
    return error instanceof PanelProblem && error.problem.code === 'not-found'
  }
}
