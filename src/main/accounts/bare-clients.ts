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
  token?: () => Promise<string | null>
  profile?: ApiProfile
  onDrift?: SeenDrift
  constants?: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>
}

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
