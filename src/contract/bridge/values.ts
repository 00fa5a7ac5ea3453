import type { User } from '../areas/account.ts'
import type {
  FileJob as ServiceFileJob,
  ItemResult as ServiceItemResult,
} from '../areas/values/file-values.ts'
import type { Area, InvalidItem, UnknownValue } from '../declarations/operation.ts'
import type { ServerConfig } from '../areas/server-config.ts'
import type { ContainerStats, RuntimeStatus, Server } from '../areas/servers.ts'
import type { Software, SoftwareVersion } from '../areas/software.ts'
import type { LocalizedText, Sentence } from '../messages/localized-text.ts'
import type { Problem } from './problem.ts'
import type { PowerWarning } from '../rules/power.ts'

export type {
  Area,
  ContainerStats,
  RuntimeStatus,
  Server,
  ServerConfig,
  Software,
  SoftwareVersion,
  UnknownValue,
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
export type { InvalidItem } from '../declarations/operation.ts'
export type { ServerCreation, PlayerCount, PowerAction, ServerStatus } from '../areas/servers.ts'

/** Result for one of many items. Messages of the panel itself have a `text`. */
export interface ItemResult extends Omit<ServiceItemResult, 'error' | 'outcome'> {
  /** `unconfirmed`: the service accepted the request but doesn't report this item. */
  outcome: 'done' | 'skipped' | 'failed' | 'unconfirmed'
  error?: ({ code: string } & LocalizedText) | null | undefined
}

/** An archive job. Messages of the panel itself have a `text`. */
export interface FileJob extends Omit<ServiceFileJob, 'state' | 'error'> {
  /** `lost`: the panel can no longer follow it. */
  state: ServiceFileJob['state'] | 'lost'
  error?: ({ code: string } & LocalizedText) | null | undefined
}

export type ConnectionState =
  | { kind: 'ready' }
  | { kind: 'starting' }
  /** Unreachable; cached views stay. */
  | { kind: 'offline'; problem: Problem; since: string }
  /** The token expired or wasn't stored. Cached views stay for the next sign-in. */
  | { kind: 'signed-out' }

export interface Connection {
  id: string
  /** `host`: with an API of its own, which an adapter translates. It has only what that offers. */
  kind: 'local' | 'service' | 'host'
  /** `This computer`, or the host of the address. */
  name: string
  baseUrl: string
  user: { name: string | null; email: string | null } | null
  state: ConnectionState
  /** `memory`: until the panel closes. */
  tokenKept: 'keychain' | 'memory' | 'none'
  /** Token expiry, if known. */
  expiresAt: string | null
  /** What consoles of a host are opened by, if somebody entered it. */
  consoleOrigin?: string
  /** Commands may go to RCON without encryption, where a host of SFTP makes no connections through SSH. */
  plainRcon?: true
}

/** A message shown until dismissed, such as about a panel file that had to be replaced. */
export interface Note extends LocalizedText {
  id: string
}

export interface View<T> {
  value: T | null
  /** When the service answered it. */
  asOf: string | null
  /** Known to be outdated, or the last refresh failed. */
  stale: boolean
  problem: Problem | null
  /** ETag, if the read declares one and the service sent it. */
  tag?: string | null
}

export interface ListValue<T> {
  items: T[]
  leftOut: InvalidItem[]
  /** The service has more than the panel reads; `perhaps` if its paging is unknown. */
  more: boolean | 'perhaps'
  /** Sources the service couldn't read completely; absent if none. */
  unreadable?: string[]
  /** Age of the oldest part, if older than the answer: the service had nothing newer. */
  heldSince?: string
}
export interface PageValue<T> extends ListValue<T> {
  /** Cursor of the next page; null if there is none or it can't be requested. */
  next: string | null
}
export interface ServerList extends ListValue<Server> {
  /** Why the service offers no list: the servers were added by id. */
  byId?: 'absent' | 'forbidden'
}

/** Views composed of more than their read's answer, by its id. */
export interface ComposedViews {
  'servers.list': ServerList
  /**
   * `heldSince`: age of the versions, if the service had no newer ones. `unreached`: there are none, since the service
   * can't reach its catalog.
   */
  'software.list': ListValue<Software & { versions: SoftwareVersion[]; heldSince?: string; unreached?: true }>
}

export interface ServerRef {
  connectionId: string
  serverId: string
}

export interface Sample {
  /** ms since 1970. */
  at: number
  cpu: number | null
  memory: number | null
  players: number | null
}

export interface StatusMark {
  at: number
  status: string
}

/** Console lines as columns, since thousands are sent together. Ids increase by one from `firstSeq`. */
export interface LineBatch {
  epoch: string
  firstSeq: number
  /** ms since 1970; 0 if unknown. */
  times: number[]
  texts: string[]
  /**
   * Index in the batch → source; absent for the server's own output. `unreadable` lines have no text. Sentences: a
   * line of the service's own that can be translated.
   */
  sources: Record<number, 'error' | 'command' | 'service' | 'unreadable' | readonly Sentence[]>
}

export type ConsolePiece =
  { kind: 'lines'; batch: LineBatch } | { kind: 'gap'; from: string | null; to: string | null }

/** `passed`: `count` lines up to `to` came too fast to show; they are archived and read when scrolled to. */
export type StreamedPiece = ConsolePiece | { kind: 'passed'; to: string; count: number }

export type ConsoleState = 'live' | 'connecting' | 'polling' | 'offline'

/** Whether a console's history was read in this run, and why the last attempt failed. */
export interface HistoryState {
  read: boolean
  problem: Problem | null
  /** Most unreadable lines in one answer or event; absent if none. */
  leftOut?: number
}

/** How the panel learns about changes: by event stream or polling. */
export interface LiveUpdates {
  state: ConsoleState
  /** While polling: why, and the longest interval in seconds. */
  asked: { why: 'absent' | 'forbidden' | 'failing'; every: number } | null
}

export interface KeychainStatus {
  kind: 'ok' | 'missing' | 'locked' | 'unknown'
  reason: LocalizedText | null
}

export interface AppInfo {
  version: string
  way: 'electron' | 'browser'
  platform: string
  dialogs: boolean
  keychain: KeychainStatus
  /** Of this computer, in MiB: the most a server here can have. */
  memoryMb: number
  local: { kind: 'ready' } | { kind: 'not-here'; reason: LocalizedText }
}

export interface Settings {
  theme: 'system' | 'light' | 'dark'
  language: 'system' | 'en' | 'de'
  timestamps: boolean
  /** When a server with players on it is stopped or restarted. */
  playersOn: PowerWarning
}

/** Players are being warned; the server is stopped or restarted at its end. */
export interface Countdown extends ServerRef {
  action: 'stop' | 'restart'
  /** Of the warnings in the game's chat. */
  language: 'en' | 'de'
  /** When it ends, in ms since 1970. */
  at: number
}

export interface TextFile {
  path: string
  /** Bytes. */
  size: number
  modifiedAt: string | null
  /** Base for saving; null if the service sends none. */
  etag: string | null
  /** `binary` and `large` files are shown in pages (`files.read-page`). */
  content: { kind: 'text'; text: string } | { kind: 'binary' } | { kind: 'large' }
}

export interface Draft {
  text: string
  /** Version it is based on; null if the service sends none. */
  etag: string | null
  /** ms since 1970. */
  at: number
}

export interface FilePage {
  /** First byte of the page, and the file's size. */
  offset: number
  size: number
  /** base64. */
  bytes: string
}

/** Content of a file before it was overwritten or deleted, kept on this computer. */
export interface FormerContent {
  id: string
  path: string
  size: number
  at: string
  because: 'saved' | 'deleted'
}

/** A deviation from the contract, or another expected name. Names and types only, never values. */
export interface DriftEntry {
  /** `area.verb`, with the contract's method and path. */
  operation: string
  method: string
  path: string
  /** Such as `items.[].createdAt`; prefixed `error` in errors and `request` in requests, empty for the whole answer. */
  field: string
  expected: string
  found: string
  /** Actual name, if different. */
  foundAs: string | null
  count: number
  since: string
}

export interface DriftReport {
  places: DriftEntry[]
  /** Not all are listed. */
  more: boolean
}

export interface ProfileFault {
  at: string[]
  said: LocalizedText
}

/** Known differences of a service, as hand-editable JSON. */
export interface ServiceProfile {
  text: string
  /** Stored; else `text` is an empty profile. */
  kept: boolean
  /** With observed differences added; null if that adds nothing. */
  proposed: string | null
  /** Headers and where each value is stored. Values are never returned. */
  headers: { name: string; value: 'keychain' | 'memory' | 'none' | 'unknown' }[]
  /** Unusable profile files; null is the folder itself. */
  faults: (ProfileFault & { file: string | null })[]
}

export type ProfileSaveResult = { kind: 'saved' } | { kind: 'faulty'; faults: ProfileFault[] }
export type ProfileTrialResult =
  { kind: 'tried'; checks: ProfileCheck[] } | { kind: 'faulty'; faults: ProfileFault[] }

export interface ProfileCheck {
  operation: string
  outcome:
    | { kind: 'read'; items: number | null; leftOut: number }
    | { kind: 'not-asked' }
    | { kind: 'failed'; problem: Problem }
}

export interface GoogleSignInStart {
  id: string
  url: string
  opened: boolean
}

/** `late`: the browser didn't return within five minutes. */
export type GoogleOutcome =
  | { kind: 'signed-in'; connection: Connection }
  | { kind: 'asked'; for: 'password' | 'second-factor' }
  | { kind: 'ended'; why: 'refused' | 'provider-down' | 'failed' | 'late' | 'canceled' }
