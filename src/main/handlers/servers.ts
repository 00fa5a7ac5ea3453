import { api } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/areas/operation.ts'
import { say } from '../../contract/messages/say.ts'
import { problem } from '../api/problem.ts'
import { ADDED_MOST } from '../cache/added-table.ts'
import type { AreaHandlers, Rooms } from './handlers.ts'
import { knows } from './known-server.ts'

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
    async 'servers.add'({ connectionId, serverId, unseen }) {
      const client = connections.client(connectionId)
      if (!unseen && !(await knows(client, serverId)))
        throw problem('not-found', say('servers.not-known', { id: serverId }), {
          serviceCode: 'panel.server-unknown',
        })
      if (!(await cache.addServer(connectionId, serverId)))
        throw problem('conflict', say('servers.too-many-added', { most: ADDED_MOST }))
      await views.refresh('servers', { connectionId })
    },
    async 'servers.forget'({ connectionId, serverId }) {
      // What is kept of it stays: added again, it is all there. Signing out wipes it.
      await cache.forgetAdded(connectionId, serverId)
      await views.change(
        'servers',
        { connectionId },
        (list) => list && { ...list, items: list.items.filter(({ id }) => id !== serverId) },
      )
      await views.refresh('servers', { connectionId })
    },

    async 'servers.create'({ connectionId, server }) {
      const { value } = await connections.client(connectionId).send(api.servers.create, { body: server })
      await views.change('servers', { connectionId }, (list) => ({
        items: [...(list?.items ?? []), value],
        leftOut: list?.leftOut ?? [],
        listing: list?.listing ?? 'incomplete',
      }))
      await stale(api.servers.create, connectionId)
      consoles.reconnect(connectionId)
      return value
    },

    async 'servers.change-config'({ connectionId, serverId, change, etag }) {
      const client = connections.client(connectionId)
      const input = { params: { serverId }, body: change }
      const answer = await client.send(api.servers.changeConfig, input, { ifMatch: etag ?? undefined })
      const { name } = answer.value
      await views.change('config', { connectionId, serverId }, () => ({
        config: answer.value,
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
      return answer.value
    },

    async 'servers.remove'({ connectionId, serverId, confirm }) {
      const client = connections.client(connectionId)
      await client.send(api.servers.remove, { params: { serverId }, query: { confirm } })
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
