import type { ViewId } from '../areas/index.ts'
import type { AskedView, ViewValue } from './passed.ts'
import type {
  Connection,
  ConsolePiece,
  ConsoleState,
  FileJob,
  KeychainStatus,
  Note,
  Sample,
  ServerRef,
  Settings,
  StatusMark,
  Transfers,
  View,
} from './values.ts'

/** A view that has a new value, or went stale. */
export type ViewEvent = { [V in ViewId]: AskedView & { view: V; now: View<ViewValue<V>> } }[ViewId]

/** Every event main sends to a window. */
export interface Events {
  connections: Connection[]
  view: ViewEvent
  settings: Settings
  keychain: KeychainStatus
  /** All notes that are not dismissed. */
  notes: Note[]
  sample: ServerRef & { sample: Sample }
  /** All transfers as they stand, at most a few times a second while something moves. */
  transfers: Transfers
  job: ServerRef & { job: FileJob }
  mark: ServerRef & { mark: StatusMark }
  /** Only to windows that watch the server's console. `state` comes when it changes. */
  console: ServerRef & { pieces: ConsolePiece[]; state?: ConsoleState }
}
export type EventName = keyof Events
