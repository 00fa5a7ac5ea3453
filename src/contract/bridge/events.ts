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

/** A view that has a new value, or went stale. */
export type ViewEvent = { [V in ViewId]: AskedView & { view: V; now: View<ViewValue<V>> } }[ViewId]

/** Every event main sends to a window. */
export interface Events {
  connections: Connection[]
  view: ViewEvent
  settings: Settings
  /** How the panel is part of the desktop, when that changes. */
  desktop: DesktopChoices
  /** How the servers of a connection are arranged, when that changes. */
  rail: Rail
  keychain: KeychainStatus
  /** All notes that are not dismissed. */
  notes: Note[]
  sample: ServerRef & { sample: Sample }
  /** All transfers as they stand, at most a few times a second while something moves. */
  transfers: Transfers
  /** All files that are open in editors of this computer. */
  handed: HandedFile[]
  job: ServerRef & { job: FileJob }
  mark: ServerRef & { mark: StatusMark }
  /** Only to windows that watch the server's console. `state` and `history` come when they change. */
  console: ServerRef & { pieces: StreamedPiece[]; state?: ConsoleState; history?: HistoryState }
  /** A notification came, and the service pushed it: it is to be shown now. */
  notification: { connectionId: string; notification: Notification }
  /** How a connection's live updates stand, when that changes. */
  live: { connectionId: string; now: LiveUpdates }
  /** More was seen in which a service differs from the contract; at most once every few seconds. */
  drift: { connectionId: string }
  /** The panel's own updates, when something changes; at most a few times a second while one is downloaded. */
  updates: Updates
  /**
   * The program ends, once servers of this computer have stopped and their worlds are saved; `hand-over`: they start again in the
   * background. Only where it has windows of its own.
   */
  closing: 'stop' | 'hand-over'
  /** Why a server's statistics cannot be read; null once they can. */
  statistics: ServerRef & { problem: Problem | null }
}
export type EventName = keyof Events
