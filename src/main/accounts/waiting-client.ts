import { localized } from '../../contract/messages/localized-text.ts'
import type { ApiClient } from '../api/client.ts'
import { problem } from '../base/problem.ts'
import { type Connections, LOCAL_ID } from './connections.ts'

/**
 * Clients for work that outlives a run. The built-in service gets a new address at each start, so its absence counts as
 * unreachable; any other missing connection counts as gone.
 */
export const waitingClient =
  (connections: Pick<Connections, 'client' | 'list'>) =>
  (connectionId: string): ApiClient => {
    if (connectionId === LOCAL_ID && !connections.list().some(({ id }) => id === LOCAL_ID))
      throw problem('offline', localized('local.not-running'))
    return connections.client(connectionId)
  }
