import { api } from '../../contract/areas/index.ts'
import type { Server } from '../../contract/areas/servers.ts'
import { keepCreated } from '../areas/servers.ts'
import type { AreaHandlers, Rooms } from './handlers.ts'

/** Reads as views, and writes that are passed on: all that follows from a declaration alone. */
export function operationHandlers(rooms: Rooms): AreaHandlers<'view' | 'operation'> {
  const { views, writes, ports } = rooms
  return {
    'view.read': ({ again, ...named }, window) => views.read(named, window, again),
    'view.leave': (named, window) => views.leave(named, window),
    async 'operation.send'(asked) {
      const answer = await writes.pass(asked)
      // Whatever becomes of the list, the server is there.
      if (asked.operation === api.servers.create.id && answer !== null)
        await keepCreated(rooms, asked.connectionId, answer as Server).catch((error: unknown) =>
          ports.log.warn('a server that was created could not be kept', { error }),
        )
      return answer
    },
  }
}
