import { api } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/areas/operation.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../api/problem.ts'
import type { AreaHandlers, Rooms } from './handlers.ts'

export function serverHandlers({
  cache,
  connections,
  consoles,
  views,
  samples,
  former,
}: Rooms): AreaHandlers<'servers'> {
  const stale = (op: Operation, connectionId: string, serverId?: string) =>
    views.markStale(op.stale, connectionId, serverId)

  return {
    async 'servers.create'({ connectionId, server }) {
      const { value } = await connections.client(connectionId).send(api.servers.create, { body: server })
      if (value)
        await views.change('servers', { connectionId }, (list) => ({
          items: [...(list?.items ?? []), value],
          leftOut: list?.leftOut ?? [],
        }))
      await stale(api.servers.create, connectionId)
      consoles.reconnect(connectionId)
      return value
    },

    async 'servers.change-config'({ connectionId, serverId, change, etag }) {
      const client = connections.client(connectionId)
      const input = { params: { serverId }, body: change }
      const answer = await client.send(api.servers.changeConfig, input, { ifMatch: etag ?? undefined })
      if (!answer.value) {
        await stale(api.servers.changeConfig, connectionId, serverId)
        return null
      }
      const config = answer.value
      const { name } = config
      await views.change('config', { connectionId, serverId }, () => ({
        config,
        etag: answer.etag,
      }))
      await views.change('server', { connectionId, serverId }, (server) => server && { ...server, name })
      await views.change(
        'servers',
        { connectionId },
        (list) =>
          list && {
            ...list,
            items: list.items.map((item) => (item.id === serverId ? { ...item, name } : item)),
          },
      )
      await stale(api.servers.changeConfig, connectionId, serverId)
      return config
    },

    async 'servers.remove'({ connectionId, serverId, confirm }) {
      const client = connections.client(connectionId)
      await client.send(api.servers.remove, { params: { serverId }, query: { confirm } })
      // What is kept of it here cannot be had again: it goes when the service no longer has the server.
      if (!(await isGone(client, serverId)))
        return void (await stale(api.servers.remove, connectionId, serverId))
      await views.forget(connectionId, serverId)
      await former.wipe(connectionId, serverId)
      await cache.wipeServer(connectionId, serverId)
      await views.change(
        'servers',
        { connectionId },
        (list) => list && { ...list, items: list.items.filter((item) => item.id !== serverId) },
      )
      await views.markStale(['servers'], connectionId)
      consoles.reconnect(connectionId)
    },

    async 'servers.power'({ connectionId, serverId, action }) {
      const client = connections.client(connectionId)
      await client.send(api.servers.power, { params: { serverId }, body: { action } })
      await stale(api.servers.power, connectionId, serverId)
      consoles.hurry(connectionId)
    },

    'servers.samples': (server) => samples.of(server),
  }
}

/** Whether the service itself says that it no longer has a server. */
async function isGone(client: ApiClient, serverId: string): Promise<boolean> {
  try {
    await client.send(api.servers.read, { params: { serverId } })
    return false
  } catch (error) {
    return error instanceof PanelProblem && error.problem.code === 'not-found'
  }
}
