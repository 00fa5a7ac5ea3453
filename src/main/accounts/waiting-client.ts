import { say } from '../../contract/messages/say.ts'
import type { ApiClient } from '../api/client.ts'
import { problem } from '../base/problem.ts'
import { type Connections, LOCAL_ID } from './connections.ts'

/**
 * Clients for work that outlives a run of the panel. The address of this computer's service is new at each start: who needs
 * it waits for it as for any service that is away, where other connections that are missing are gone.
 */
export const waitingClient =
  (connections: Pick<Connections, 'client' | 'list'>) =>
  (connectionId: string): ApiClient => {
    if (connectionId === LOCAL_ID && !connections.list().some(({ id }) => id === LOCAL_ID))
      throw problem('offline', say('local.not-running'))
    return connections.client(connectionId)
  }
