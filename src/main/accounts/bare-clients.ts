import type { Operation } from '../../contract/declarations/operation.ts'
import { ApiClient } from '../api/client.ts'
import type { ApiProfile } from '../api/profile/profile.ts'
import type { Drift } from '../api/reader/drift.ts'
import type { Clock } from '../base/retry.ts'
import type { Requester } from '../api/requests/transport.ts'
import type { ServiceProfiles } from './service-profiles.ts'

interface BareClientsPorts {
  dispatcher: Requester
  clock: Clock
  profiles: ServiceProfiles
  timeoutMs?: number | undefined
}

export type SeenDrift = (op: Operation, drifts: readonly Drift[]) => void

interface BareClient {
  /** The token to send; none unless given. */
  token?: () => Promise<string | null>
  /** The profile that is written for the service, unless given. */
  profile?: ApiProfile
  /** Told where the service differs from the contract. */
  onDrift?: SeenDrift
  /** What headers of the profile hold; what is kept of them, unless given. */
  constants?: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>
}

/** Makes clients that belong to no connection, or not yet. */
export const bareClients =
  ({ dispatcher, clock, profiles, timeoutMs }: BareClientsPorts) =>
  (baseUrl: string, { token = async () => null, profile, onDrift, constants }: BareClient = {}): ApiClient =>
    new ApiClient({
      baseUrl,
      dispatcher,
      clock,
      profile: () => profile ?? profiles.of(baseUrl),
      constants: constants ?? ((names) => profiles.headers.of(baseUrl, names)),
      token,
      ...(onDrift && { onDrift }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
