import type { Notification } from '../areas/notifications.ts'
import type { ViewId } from '../areas/index.ts'
import type { ParsedViewRequest, ViewValue } from './passed.ts'
import type {
  Connection,
  ConsoleState,
  Countdown,
  StreamedPiece,
  FileJob,
  HistoryState,
  KeychainStatus,
  LiveUpdates,
  Note,
  Sample,
  ServerRef,
  Settings,
  StatusMark,
  View,
} from './values.ts'
import type { CopyState } from './copy-calls.ts'
import type { DesktopChoices } from './desktop-calls.ts'
import type { ExternalFile } from './external-editor-calls.ts'
import type { Rail } from '../rules/rail/rail.ts'
import type { Relocation } from './relocation-calls.ts'
import type { Transfers } from './transfer-values.ts'
import type { Problem } from './problem.ts'
import type { Updates } from './update-calls.ts'

export type ViewEvent = { [V in ViewId]: ParsedViewRequest & { view: V; now: View<ViewValue<V>> } }[ViewId]

export interface Events {
  connections: Connection[]
  view: ViewEvent
  settings: Settings
  desktop: DesktopChoices
  rail: Rail
  keychain: KeychainStatus
  notes: Note[]
  sample: ServerRef & { sample: Sample }
  /** All transfers, at most a few times a second. */
  transfers: Transfers
  'external-files': ExternalFile[]
  job: ServerRef & { job: FileJob }
  /** Copies of a server on this computer changed; during one at most a few times a second. */
  copies: ServerRef & { now: CopyState }
  /** All that are remembered; while one runs at most a few times a second. */
  relocations: Relocation[]
  /** All that are running. */
  countdowns: Countdown[]
  /** Players were warned, but the server could not be stopped or restarted. */
  'countdown-failed': ServerRef & { problem: Problem }
  mark: ServerRef & { mark: StatusMark }
  /** Only for windows watching the console. `state` and `history` are sent when they change. */
  console: ServerRef & {
    watch: number
    pieces: StreamedPiece[]
    state?: ConsoleState
    history?: HistoryState
  }
  notification: { connectionId: string; notification: Notification }
  live: { connectionId: string; now: LiveUpdates }
  /** New deviations from the contract were seen; at most once every few seconds. */
  drift: { connectionId: string }
  /** At most a few times a second during a download. */
  updates: Updates
  /** Local servers are saving their worlds and stopping; `hand-over`: they restart in the background. Desktop only. */
  closing: 'stop' | 'hand-over'
  statistics: ServerRef & { problem: Problem | null }
}
export type EventName = keyof Events
