import { api } from '../../contract/areas/index.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { WriteSender } from '../views/writes.ts'
import type { Cache } from '../views/cache/cache.ts'
import type { Consoles } from './consoles.ts'
import type { Pager } from './pager.ts'

export interface ConsoleDependencies {
  cache: Cache
  consoles: Consoles
  pager: Pager
  writes: WriteSender
}

export function consoleCalls({
  cache,
  consoles,
  pager,
  writes,
}: ConsoleDependencies): AreaHandlers<'console'> {
  return {
    async 'console.command'({ connectionId, serverId, command }) {
      const input = { params: { serverId }, body: { command } }
      const sending = writes.send(api.console.command, { connectionId, serverId }, input)
      // Kept even if it fails: a failed command is the one to find again.
      void cache.addCommand(connectionId, serverId, command)
      const value = await sending
      return { lineId: value?.lineId ?? null }
    },
    'console.watch': ({ limit, after, ...server }, window) => consoles.watch(window, server, limit, after),
    'console.unwatch': (server, window) => void consoles.unwatch(window, server),
    'console.live': ({ connectionId }) => consoles.live(connectionId),
    async 'console.page'({ before, after, limit, ...server }) {
      if (before !== undefined) return await pager.page(server, { before }, limit)
      if (after !== undefined) return await pager.page(server, { after }, limit)
      const batches = await cache.linesBefore(server.connectionId, server.serverId, null, limit)
      return {
        pieces: batches.map((batch) => ({ kind: 'lines' as const, batch })),
        end: batches.length === 0,
      }
    },
    'console.commands': ({ connectionId, serverId }) => cache.commands(connectionId, serverId),
  }
}
