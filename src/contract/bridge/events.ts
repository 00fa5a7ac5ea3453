import type { Notification } from '../areas/notifications.ts'
import type { ViewId } from '../areas/index.ts'
import type { AskedView, ViewValue } from './passed.ts'
import type {
  Connection,
  ConsoleState,
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
import type { DesktopChoices } from './desktop-calls.ts'
import type { HandedFile } from './handed-calls.ts'
import type { Rail } from '../rules/rail.ts'
import type { Transfers } from './transfer-values.ts'
import type { Problem } from './problem.ts'
import type { Updates } from './update-values.ts'

/** A view has a new value or became stale. */
export type ViewEvent = { [V in ViewId]: AskedView & { view: V; now: View<ViewValue<V>> } }[ViewId]

/** Every event main sends to a window. */
export interface Events {
  connections: Connection[]
  view: ViewEvent
  settings: Settings
  desktop: DesktopChoices
  rail: Rail
  keychain: KeychainStatus
  /** All undismissed notes. */
  notes: Note[]
  sample: ServerRef & { sample: Sample }
  /** All transfers, at most a few times a second. */
  transfers: Transfers
  /** All files open in local editors. */
  handed: HandedFile[]
  job: ServerRef & { job: FileJob }
  mark: ServerRef & { mark: StatusMark }
  /** Only for windows watching the console. `state` and `history` are sent when they change. */
  console: ServerRef & { pieces: StreamedPiece[]; state?: ConsoleState; history?: HistoryState }
  /** A pushed notification to show now. */
  notification: { connectionId: string; notification: Notification }
  live: { connectionId: string; now: LiveUpdates }
  /** New deviations from the contract were seen; at most once every few seconds. */
  drift: { connectionId: string }
  /** At most a few times a second during a download. */
  updates: Updates
  /**
   * The program exits once local servers have stopped and saved their worlds; `hand-over`: they restart in the
   * background. Only if it has its own windows.
   */
  closing: 'stop' | 'hand-over'
  /** Why a server's statistics can't be read; null once they can. */
  statistics: ServerRef & { problem: Problem | null }
}
export type EventName = keyof Events
