import type { Operation } from '../../contract/declarations/operation.ts'
import { ApiClient } from '../api/client.ts'
import type { ApiProfile } from '../api/profile/profile.ts'
import type { Drift } from '../api/reader/drift.ts'
import type { Clock } from '../base/retry.ts'
import type { RequesterFactory } from './host-requesters.ts'
import type { ServiceProfiles } from './service-profiles.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'
import { LOCAL_ID } from './connection-records.ts'
import type { Connections } from './connections.ts'

interface BareClientsPorts {
  requesterAt: RequesterFactory
  clock: Clock
  profiles: ServiceProfiles
  timeoutMs?: number | undefined
}

export type SeenDrift = (op: Operation, drifts: readonly Drift[]) => void

interface BareClient {
  token?: () => Promise<string | null>
  profile?: ApiProfile
  onDrift?: SeenDrift
  constants?: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>
}

export const bareClients =
  ({ requesterAt, clock, profiles, timeoutMs }: BareClientsPorts) =>
  (baseUrl: string, { token = async () => null, profile, onDrift, constants }: BareClient = {}): ApiClient =>
    new ApiClient({
      baseUrl,
      dispatcher: requesterAt(baseUrl),
      clock,
      profile: () => profile ?? profiles.of(baseUrl),
      constants: constants ?? ((names) => profiles.headers.of(baseUrl, names)),
      token,
      ...(onDrift && { onDrift }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })

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
