import { api } from '../../contract/areas/index.ts'
import type { Server } from '../../contract/areas/servers.ts'
import { type WriteSender, keepCreated } from '../views/writes.ts'
import type { Cache } from '../views/cache/cache.ts'
import type { ViewStore } from '../views/cache/view-store.ts'
import type { Log } from '../logging/log.ts'
import type { AreaHandlers } from './handlers.ts'

export interface OperationDependencies {
  views: ViewStore
  writes: WriteSender
  cache: Cache
  log: Log
}

export function operationCalls(rooms: OperationDependencies): AreaHandlers<'view' | 'operation'> {
  const { views, writes, log } = rooms
  return {
    'view.read': ({ again, ...named }, window) => views.read(named, window, again),
    'view.leave': (named, window) => views.leave(named, window),
    async 'operation.send'(asked) {
      const answer = await writes.pass(asked)
      // Even if the list fails, the server exists.
      if (asked.operation === api.servers.create.id && answer !== null)
        await keepCreated(rooms, asked.connectionId, answer as Server).catch((error: unknown) =>
          log.warn('a server that was created could not be kept', { error }),
        )
      return answer
    },
  }
}
