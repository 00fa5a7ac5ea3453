import { api } from '../../contract/areas/index.ts'
import { changeInList } from '../areas/servers.ts'
import type { AreaHandlers, Rooms } from './handlers.ts'

export function serverHandlers(rooms: Rooms): AreaHandlers<'servers'> {
  const { cache, consoles, views, writes, samples, former } = rooms
  return {
    async 'servers.remove'({ confirm, ...server }) {
      const { connectionId, serverId } = server
      await writes.send(api.servers.remove, server, { params: { serverId }, query: { confirm } })
      await views.forget(connectionId, serverId)
      await former.wipe(connectionId, serverId)
      await cache.wipeServer(connectionId, serverId)
      await changeInList(views, server, () => null)
      consoles.reconnect(connectionId)
    },

    'servers.samples': (server) => samples.of(server),
  }
}
