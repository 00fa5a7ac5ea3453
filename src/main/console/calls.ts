import { api } from '../../contract/areas/index.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Writes } from '../views/writes.ts'
import type { Cache } from '../views/cache/cache.ts'
import type { Consoles } from './consoles.ts'
import type { Pager } from './pager.ts'

export interface ConsoleRooms {
  cache: Cache
  consoles: Consoles
  pager: Pager
  writes: Writes
}

export function consoleCalls({ cache, consoles, pager, writes }: ConsoleRooms): AreaHandlers<'console'> {
  return {
    async 'console.command'({ connectionId, serverId, command }) {
      const input = { params: { serverId }, body: { command } }
      // Kept even if it fails: a failed command is the one to find again. Sending goes first: checking an idle
      // connection takes the loop's next turn, so this gets the one after.
      let isKept = false
      const keep = () => {
        if (!isKept) void cache.addCommand(connectionId, serverId, command)
        isKept = true
      }
      setImmediate(() => setImmediate(keep))
      try {
        const value = await writes.send(api.console.command, { connectionId, serverId }, input)
        return { lineId: value?.lineId ?? null }
      } finally {
        keep()
      }
    },
    'console.watch': ({ limit, ...server }, window) => consoles.watch(window, server, limit),
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
