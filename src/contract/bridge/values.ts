import type { User } from '../areas/account.ts'
import type {
  FileJob as ServiceFileJob,
  ItemResult as ServiceItemResult,
} from '../areas/values/file-values.ts'
import type { Area, LeftOut, Unknown } from '../declarations/operation.ts'
import type { ServerConfig } from '../areas/server-config.ts'
import type { ContainerStats, RuntimeStatus, Server } from '../areas/servers.ts'
import type { Software, SoftwareVersion } from '../areas/software.ts'
import type { Said } from '../messages/say.ts'
import type { Problem } from './problem.ts'

export type {
  Area,
  ContainerStats,
  RuntimeStatus,
  Server,
  ServerConfig,
  Software,
  SoftwareVersion,
  Unknown,
  User,
}
export type { ExtensionChanges } from '../areas/values/extension-changes.ts'
export type { Extension, FoundExtension, PlannedChange } from '../areas/extensions.ts'
export type { ExtensionProblem } from '../areas/values/extension-problem.ts'
export type { FoundPack, PackPlan, PackVersion, PlayersList } from '../areas/modpacks.ts'
export type { Conflict, FileEntry, FileLimits, SearchHit, TrashEntry } from '../areas/values/file-values.ts'
export type { Crash, SharedLog } from '../areas/crashes.ts'
export type { FoundServer, Import } from '../areas/imports.ts'
export type { Line, LineSource } from '../areas/console.ts'
export type { Player, PlayerAction, PlayerResult, PlayerSession, PlayerStats } from '../areas/players.ts'
export type { LeftOut } from '../declarations/operation.ts'
export type { CreateServer, PlayerCount, PowerAction, ServerStatus } from '../areas/servers.ts'

/** What became of one of many items; what the panel itself has to say of one has its `text`. */
export interface ItemResult extends Omit<ServiceItemResult, 'error' | 'outcome'> {
  /** `unconfirmed`: the service took the request and does not say what became of this one. */
  outcome: 'done' | 'skipped' | 'failed' | 'unconfirmed'
  error?: ({ code: string } & Said) | null | undefined
}

/** Packing or unpacking, as the service tells; what the panel itself has to say of it has its `text`. */
export interface FileJob extends Omit<ServiceFileJob, 'state' | 'error'> {
  /** `lost`: the panel can no longer learn how it stands. */
  state: ServiceFileJob['state'] | 'lost'
  error?: ({ code: string } & Said) | null | undefined
}

/** How a connection stands. */
export type ConnectionState =
  /** Signed in, and the service answered last time. */
  | { kind: 'ready' }
  /** The built-in service is being started. */
  | { kind: 'starting' }
  /** The service cannot be reached; cached views stay. `problem` says why. */
  | { kind: 'offline'; problem: Problem; since: string }
  /** The token is no longer valid, or was not kept. Cached views stay; signing in again goes on with them. */
  | { kind: 'signed-out' }

/** A service's address and a signed-in user. */
export interface Connection {
  id: string
  /** `local` is the service built in. */
  kind: 'local' | 'service'
  /** What people see: `This computer`, or the host of the address. */
  name: string
  baseUrl: string
  user: { name: string | null; email: string | null } | null
  state: ConnectionState
  /** Where the token is: in the keychain, or in memory until the panel closes. */
  tokenKept: 'keychain' | 'memory' | 'none'
  /** When the token ends, where the service told. */
  expiresAt: string | null
}

/** What a person has to know until they dismiss it, such as a file of the panel that had to be replaced. */
export interface Note extends Said {
  id: string
}

/** A cached value with its age. `value` is null until it was read once. */
export interface View<T> {
  value: T | null
  /** When the value was read from the service. */
  asOf: string | null
  /** Something made it stale, or the last refresh failed. */
  stale: boolean
  /** Why the last refresh failed. */
  problem: Problem | null
  /** The ETag of the value, where its read is declared with one and the service gave it. */
  tag?: string | null
}

/** A list with all its pages. */
export interface ListValue<T> {
  items: T[]
  /** What did not fit the contract and is not shown. */
  leftOut: LeftOut[]
  /** The service holds more than the panel reads of it; `perhaps` where it pages in a way that is not known. */
  more: boolean | 'perhaps'
  /** Sources of the list that the service could not read completely; absent if there are none. */
  unreadable?: string[]
  /** Of which time the oldest of it is where that is earlier than the answer: the service had nothing newer. */
  heldSince?: string
}
/** One page of a list that people read page by page. */
export interface PageValue<T> extends ListValue<T> {
  /** What the page after it is asked for with; null where there is none, or none that can be asked for. */
  next: string | null
}
export interface ServerList extends ListValue<Server> {
  /** Why the service gives no list: these are the servers that were added by their ids. */
  byId?: 'absent' | 'forbidden'
}

/** The values of views that are more than the answer of the read they are named after, by its id. */
export interface ComposedViews {
  'servers.list': ServerList
  /** Software with the versions of each, and of which time these are where the service had no newer ones. */
  'software.list': ListValue<Software & { versions: SoftwareVersion[]; heldSince?: string }>
}

/** How a server is named everywhere in the panel. */
export interface ServerRef {
  connectionId: string
  serverId: string
}

/** A reading of a running server, kept for the graphs. Bytes; 100 cpu is one core. */
export interface Sample {
  /** Milliseconds since 1970. */
  at: number
  cpu: number | null
  memory: number | null
  players: number | null
}

/** A change of status, marked on the graphs. */
export interface StatusMark {
  at: number
  status: string
}

/** Lines for a terminal, in columns, because thousands of them cross at once. Ids run on from `firstSeq` by one. */
export interface LineBatch {
  epoch: string
  firstSeq: number
  /** Milliseconds since 1970; 0 where the service gave none. */
  times: number[]
  texts: string[]
  /** Index into the batch → source, only for lines that are not the server's own output. What is `unreadable` has no text. */
  sources: Record<number, 'error' | 'command' | 'service' | 'unreadable'>
}

/** What flows to a console: lines, or a mark where lines are gone. */
export type ConsolePiece =
  { kind: 'lines'; batch: LineBatch } | { kind: 'gap'; from: string | null; to: string | null }

/**
 * What is told to a window that watches a console. `passed`: so many lines, up to and with this one, came and went too fast to be
 * shown; they were kept, and are read when somebody scrolls to them.
 */
export type StreamedPiece = ConsolePiece | { kind: 'passed'; to: string; count: number }

/** How a console's stream stands. */
export type ConsoleState = 'live' | 'connecting' | 'polling' | 'offline'

/** Whether a console's history could be read in this run, and why not where the last try failed. */
export interface HistoryState {
  read: boolean
  problem: Problem | null
  /** How many lines of one answer or event could not be read, at most; absent where each could. */
  leftOut?: number
}

/** How the panel learns what happens at a service: by its event stream, or by asking. */
export interface LiveUpdates {
  state: ConsoleState
  /** While it asks: why there is no stream for it, and the longest pause between two questions, in seconds. */
  asked: { why: 'absent' | 'forbidden' | 'failing'; every: number } | null
}

export interface KeychainStatus {
  kind: 'ok' | 'missing' | 'locked' | 'unknown'
  /** Why, for people. */
  reason: Said | null
}

export interface AppInfo {
  version: string
  way: 'electron' | 'browser'
  platform: string
  /** Whether the system's dialogs can be asked for files and folders of this computer. */
  dialogs: boolean
  keychain: KeychainStatus
  /** Whether servers can run on this computer, and if not, why. */
  local: { kind: 'ready' } | { kind: 'not-here'; reason: Said }
}

export interface Settings {
  theme: 'system' | 'light' | 'dark'
  language: 'system' | 'en' | 'de'
  /** Times beside console lines. */
  timestamps: boolean
}

/** A file's text, or why it cannot be edited. */
export interface TextFile {
  path: string
  /** Bytes. */
  size: number
  modifiedAt: string | null
  /** What a save has to be based on; null where the service gives none. */
  etag: string | null
  /** `binary` and `large` files are shown by pages (`files.read-page`). */
  content: { kind: 'text'; text: string } | { kind: 'binary' } | { kind: 'large' }
}

/** A text that was written in the editor and not saved. */
export interface Draft {
  text: string
  /** The version of the file it grew from; null where the service gives none. */
  etag: string | null
  /** Milliseconds since 1970. */
  at: number
}

/** A part of a file that is too large or no text. */
export interface FilePage {
  /** Byte of the file at which the page begins, and the bytes the file has. */
  offset: number
  size: number
  /** The bytes, base64. */
  bytes: string
}

/** A content a file had before it was saved over or deleted, kept on this computer. */
export interface FormerContent {
  id: string
  path: string
  /** Bytes. */
  size: number
  /** When it was replaced, and by what. */
  at: string
  because: 'saved' | 'deleted'
}

/**
 * What a deletion would mean. Where the service has no trash it is for good: then so many files are kept on this computer
 * first, and `lost` names what cannot be kept, the first of `lostCount` in all.
 */
export type Deletion =
  { trash: true } | { trash: false; id: string; kept: number; lost: string[]; lostCount: number }

/** What was kept on this computer of what was deleted for good: files by id, and folders, those further up first. */
export interface KeptHere {
  ids: string[]
  folders: string[]
}

/** A place where a service answers otherwise than the contract, or wants something else. Names and kinds, never values. */
export interface DriftPlace {
  /** `area.verb`, with the contract's method and path. */
  operation: string
  method: string
  path: string
  /** `items.[].createdAt`; `error…` of errors, `request…` of what is sent, empty for the whole answer. */
  field: string
  expected: string
  found: string
  /** The name it was found under, where that is another one. */
  foundAs: string | null
  count: number
  since: string
}

/** What was seen of a service. */
export interface DriftReport {
  places: DriftPlace[]
  /** There are more: only so many are kept. */
  more: boolean
}

/** What is wrong in a profile, and where: the way to it through the JSON, empty for the whole. */
export interface ProfileFault {
  at: string[]
  said: Said
}

/** What a profile can say of one operation: what the contract has for it. */
export interface ProfileOperation {
  id: string
  method: string
  path: string
  answers: 'list' | 'value' | 'nothing'
  /** Fields of the answer, from the item or the value on, and of what is sent; `.[].` before those of items in a list. */
  answer: string[]
  request: string[]
}

/** What the panel was told of how a service differs, as JSON that people write. */
export interface ServiceProfile {
  text: string
  /** There is one; else `text` is an empty one. */
  kept: boolean
  /** One that says what was seen of the service too; null where nothing would be added. */
  proposed: string | null
  /** Headers it names, and where the value of each is. The values are never told. */
  headers: { name: string; value: 'keychain' | 'memory' | 'none' | 'unknown' }[]
  /** Files of profiles that cannot be used, and why; null is the folder itself. */
  faults: (ProfileFault & { file: string | null })[]
  /** All operations that a profile can speak of. */
  operations: readonly ProfileOperation[]
}

/** What came of saving a profile. */
export type ProfileSaved = { kind: 'saved' } | { kind: 'faulty'; faults: ProfileFault[] }
/** What came of asking a service as a profile says. */
export type ProfileTried =
  { kind: 'tried'; checks: ProfileCheck[] } | { kind: 'faulty'; faults: ProfileFault[] }

/** What came of asking a service for one operation as a profile says. */
export interface ProfileCheck {
  operation: string
  outcome:
    | { kind: 'read'; items: number | null; leftOut: number }
    /** It changes something, or cannot be asked without knowing more. */
    | { kind: 'not-asked' }
    | { kind: 'failed'; problem: Problem }
}

/** A sign-in with Google that waits for the browser. */
export interface GoogleBegun {
  id: string
  /** Where the browser goes; for who has to open it by hand. */
  url: string
  /** Whether a browser could be opened. */
  opened: boolean
}

/** What came of it. `late`: the browser has not come back in five minutes. */
export type GoogleOutcome =
  | { kind: 'signed-in'; connection: Connection }
  | { kind: 'asked'; for: 'password' | 'second-factor' }
  | { kind: 'ended'; why: 'refused' | 'provider-down' | 'failed' | 'late' | 'canceled' }
