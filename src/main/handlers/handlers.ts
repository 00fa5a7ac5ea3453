import type { CallName, CallAnswer, CallParsed } from '../../contract/bridge/calls.ts'
import type { Writes } from '../areas/writes.ts'
import type { Connections } from '../accounts/connections.ts'
import type { Cache } from '../cache/cache.ts'
import type { ViewStore } from '../cache/view-store.ts'
import type { Consoles } from '../console/consoles.ts'
import type { Pager } from '../console/pager.ts'
import type { Samples } from '../console/samples.ts'
import type { DriftReports } from '../drift/drift-reports.ts'
import type { FollowedJobs } from '../files/followed-jobs.ts'
import type { FormerContents } from '../files/former-contents.ts'
import type { LocalService } from '../local/local-service.ts'
import type { Notes } from '../notes.ts'
import type { Ports } from '../ports.ts'
import type { ProfileBook } from '../profiles/profile-book.ts'
import type { SettingsStore } from '../settings.ts'
import type { TransferRoom } from '../transfers/transfers.ts'
import type { WindowLink } from '../window-link.ts'

/** What handlers work with. */
export interface Rooms {
  ports: Ports
  cache: Cache
  connections: Connections
  views: ViewStore
  writes: Writes
  consoles: Consoles
  pager: Pager
  samples: Samples
  former: FormerContents
  driftReports: DriftReports
  profileBook: ProfileBook
  followedJobs: FollowedJobs
  transfers: TransferRoom
  settings: SettingsStore
  notes: Notes
  local: LocalService
  /** Asks what is away or has failed now. */
  wake: () => void
}

export type Handler<N extends CallName> = (
  input: CallParsed<N>,
  window: WindowLink,
) => Promise<CallAnswer<N>> | CallAnswer<N>

/** One handler for every call of the bridge: a missing or an extra one does not compile. */
export type Handlers = { [N in CallName]: Handler<N> }

/** The handlers of one area. */
export type AreaHandlers<Prefix extends string> = {
  [N in Extract<CallName, `${Prefix}.${string}`>]: Handler<N>
}
