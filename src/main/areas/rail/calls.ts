import { localized } from '../../../contract/messages/localized-text.ts'
import type { Broadcast } from '../../base/windows.ts'
import type { Connections } from '../../accounts/connections.ts'
import { problem } from '../../base/problem.ts'
import type { AreaHandlers } from '../../bridge/handlers.ts'
import type { Cache } from '../../views/cache/cache.ts'

export interface RailDependencies {
  cache: Cache
  connections: Connections
  broadcast: Broadcast
}

export function railCalls({ cache, connections, broadcast }: RailDependencies): AreaHandlers<'rail'> {
  return {
    'rail.read': () => cache.rails(),
    async 'rail.arrange'({ connectionId, base, arrangement }) {
      // Throws if signed out: a background window may still show the connection, and nothing may be stored for it.
      connections.get(connectionId)
      const kept = await cache.arrangeRail(connectionId, base, arrangement)
      if (!kept) throw problem('changed', localized('rail.changed'))
      broadcast('rail', kept)
      return kept
    },
  }
}
