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
  ViewKind,
  Views,
} from './values.ts'

/** A view that has a new value, or went stale. */
export type ViewEvent = {
  [K in ViewKind]: { view: K; input: Views[K]['input']; now: View<Views[K]['value']> }
}[ViewKind]

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
