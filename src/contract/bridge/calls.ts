import { z } from 'zod'
import { Email } from '../areas/account.ts'
import { Conflict, FilePath, ItemPath, NameEncoding } from '../areas/values/file-values.ts'
import type { OperationOf, PassedId, ViewId } from '../areas/index.ts'
import type { OutputOf } from '../declarations/operation.ts'
import { SecondFactorCode } from '../areas/second-factor.ts'
import { isNameLine } from '../messages/one-line.ts'
import { originIn } from '../rules/hosts.ts'
import { BaseUrl, call, type Call, connection, Id, Secret, server } from './call.ts'
import { computerCalls, diagnosticsCalls } from './computer-calls.ts'
import { copyCalls } from './copy-calls.ts'
import { relocationCalls } from './relocation-calls.ts'
import { desktopCalls } from './desktop-calls.ts'
import { accountCalls } from './account-calls.ts'
import { settingsTransferCalls } from './settings-transfer-calls.ts'
import { externalEditorCalls } from './external-editor-calls.ts'
import { leaveView, readView, sendOperation, type ViewValue } from './passed.ts'
import { machineCalls } from './machine-calls.ts'
import { powerLineCalls } from './power-line-calls.ts'
import { railCalls } from './rail-calls.ts'
import { serverCalls, backupCalls } from './server-calls.ts'
import { updateCalls } from './update-calls.ts'
import type {
  AppInfo,
  Connection,
  ConsolePiece,
  ConsoleState,
  DriftReport,
  FileJob,
  FilePage,
  Draft,
  FormerContent,
  HistoryState,
  ItemResult,
  LiveUpdates,
  Note,
  ProfileSaveResult,
  ProfileTrialResult,
  ServiceProfile,
  Settings,
  TextFile,
  TrashEntry,
  View,
  StreamedPiece,
} from './values.ts'
import type { TransferItem, Transfers } from './transfer-values.ts'

const nothing = z.undefined()

const LineId = z.string().min(1).max(60)

const BackupRef = z.string().min(1).max(200)
const Paths = z.array(ItemPath).min(1).max(1000)
const Moves = z
  .array(z.object({ from: ItemPath, to: ItemPath }))
  .min(1)
  .max(1000)
/** Limit of the editor, in UTF-16 units: 5 MiB of ASCII. */
const FileText = z.string().max(5 * 1024 * 1024)
const ProfileText = z.string().max(200_000)
const HeaderValues = z
  .array(z.object({ name: z.string().min(1).max(60), value: z.string().min(1).max(4000) }))
  .max(10)
const transfer = z.object({ transferId: Id })

/** Every call, name → input and output. The source for handlers, bridges and the renderer's types. */
export const calls = {
  'app.info': call<AppInfo>().of(nothing),
  'app.notes': call<Note[]>().of(nothing),
  'app.dismiss-note': call<void>().of(z.object({ id: Id })),
  'settings.read': call<Settings>().of(nothing),
  'settings.change': call<Settings>().of(
    z.object({
      theme: z.enum(['system', 'light', 'dark']).optional(),
      language: z.enum(['system', 'en', 'de']).optional(),
      timestamps: z.boolean().optional(),
      playersOn: z.enum(['ask', 'warn', 'now']).optional(),
    }),
  ),
  /** The network is back: retry what is offline or failed. */
  'app.online': call<void>().of(nothing),
  'app.open': call<void>().of(z.object({ url: z.url({ protocol: /^https$/ }) })),

  'connections.list': call<Connection[]>().of(nothing),
  /** Starts the built-in service if necessary and connects to it. */
  'connections.this-computer': call<Connection>().of(nothing),
  /** Starts the built-in service with the newest copy of its unreadable database. */
  'connections.restore-this-computer': call<Connection>().of(nothing),
  'connections.sign-in': call<Connection>().of(
    z.object({ baseUrl: BaseUrl, email: Email, password: Secret, code: SecondFactorCode.optional() }),
  ),
  /** The address of another host's API, if one answers at what was typed; else null. */
  'connections.recognize': call<string | null>().of(z.object({ baseUrl: BaseUrl })),
  /** The key that the host of an SFTP address shows, as `ssh-ed25519 SHA256:…`. */
  'connections.host-key': call<string>().of(z.object({ baseUrl: BaseUrl })),
  'connections.use-token': call<Connection>().of(z.object({ baseUrl: BaseUrl, token: Secret })),
  /** `everywhere`: also ends the account's other sessions, or the key of a host; if that fails, nothing is done. */
  'connections.sign-out': call<{ revoked: boolean; expiresAt: string | null }>().of(
    connection.extend({ everywhere: z.boolean().optional() }),
  ),
  /** Names a service in this panel; empty for its host. */
  'connections.rename': call<Connection>().of(
    connection.extend({ name: z.string().trim().max(60).refine(isNameLine) }),
  ),
  /** The address that the machines of a host know its panel by; empty for the panel's own. */
  'connections.set-console-origin': call<Connection>().of(
    connection.extend({
      origin: z.union([
        z.literal(''),
        z
          .string()
          .max(300)
          .refine((text) => originIn(text) === text),
      ]),
    }),
  ),
  /** Whether commands may go to RCON without encryption. */
  'connections.set-plain-rcon': call<Connection>().of(connection.extend({ isAllowed: z.boolean() })),
  'connections.retry': call<Connection>().of(connection),

  'service.drift': call<DriftReport>().of(connection),
  'service.clear-drift': call<void>().of(connection),
  'service.profile': call<ServiceProfile>().of(connection),
  /** Saves a profile; its header values go to the keychain and are never returned. */
  'service.save-profile': call<ProfileSaveResult>().of(
    connection.extend({ text: ProfileText, values: HeaderValues }),
  ),
  'service.remove-profile': call<void>().of(connection),
  /** Saves the field names the service requires (`wanted`) to its profile, before there is a connection. */
  'service.use-names': call<void>().of(z.object({ baseUrl: BaseUrl })),
  /** Tries a profile against the service, using reads only. */
  'service.check-profile': call<ProfileTrialResult>().of(
    connection.extend({ text: ProfileText, values: HeaderValues }),
  ),

  'activity.save': call<{ path: string }>().of(server.extend({ format: z.enum(['csv', 'json']) })),

  /** Answers what is cached, if kept at all, and refreshes in the background. `again` awaits the service. */
  'view.read': call<View<unknown>>().among(readView),
  /** The window no longer shows a view it has read. */
  'view.leave': call<void>().among(leaveView),
  /** Sends a write declared as `pass` and refreshes the views it makes stale. */
  'operation.send': call<unknown>().among(sendOperation),

  /** Reads a file for the editor; for binary and too large files only the kind. */
  'files.read-text': call<TextFile>().of(server.extend({ path: ItemPath })),
  /** `backup`: of a file as that backup has it. */
  'files.read-page': call<FilePage>().of(
    server.extend({
      path: ItemPath,
      backup: BackupRef.optional(),
      offset: z.number().int().min(0),
      length: z
        .number()
        .int()
        .min(1)
        .max(1024 * 1024),
    }),
  ),
  /**
   * Saves a text. `base`: the ETag it is based on; `create` refuses an existing file; `overwrite` replaces whatever is
   * there. The previous content is first kept on this computer. Problem `changed`: read and compare; `not-found`:
   * deleted meanwhile.
   */
  'files.write-text': call<{ etag: string | null; running: boolean }>().of(
    server.extend({
      path: ItemPath,
      text: FileText,
      base: z.union([
        z.object({ kind: z.literal('etag'), etag: z.string().max(200) }),
        z.object({ kind: z.literal('create') }),
        z.object({ kind: z.literal('overwrite') }),
      ]),
    }),
  ),
  'files.write-icon': call<void>().of(server.extend({ png: z.base64().max(65_536) })),
  /** Unsaved editor text, kept even if the window crashed; null if none. */
  'files.draft': call<Draft | null>().of(server.extend({ path: ItemPath })),
  /** Keeps unsaved text. Limited in total; wiped when signing out. */
  'files.keep-draft': call<void>().of(
    server.extend({
      path: ItemPath,
      text: FileText,
      etag: z.string().max(200).nullable(),
      at: z.number().int().min(0),
    }),
  ),
  'files.discard-draft': call<void>().of(server.extend({ path: ItemPath })),
  'files.former': call<FormerContent[]>().of(server.extend({ path: ItemPath })),
  'files.former-text': call<{ text: string }>().of(server.extend({ id: Id })),
  'files.move': call<{ results: ItemResult[] }>().of(server.extend({ items: Moves, conflict: Conflict })),
  'files.copy': call<{ results: ItemResult[] }>().of(server.extend({ items: Moves, conflict: Conflict })),
  /** Into the trash. Without one, problem `changed` with `NO_TRASH`, unless the user agreed to delete permanently. */
  'files.remove': call<{ results: ItemResult[]; trash: TrashEntry[] }>().of(
    server.extend({ paths: Paths, permanent: z.boolean().default(false) }),
  ),
  'files.restore': call<{ results: ItemResult[] }>().of(
    server.extend({ ids: z.array(Id).min(1).max(1000), conflict: Conflict }),
  ),
  /** Null: started, but the service offers no way to follow it. */
  'files.archive': call<FileJob | null>().of(
    server.extend({ paths: Paths, to: ItemPath, format: z.enum(['zip', 'tar.gz']), conflict: Conflict }),
  ),
  'files.extract': call<FileJob | null>().of(
    server.extend({ path: ItemPath, to: FilePath, conflict: Conflict, names: NameEncoding.optional() }),
  ),
  /** Favorite folders, stored on this computer. */
  'files.favorites': call<string[]>().of(server),
  'files.set-favorites': call<string[]>().of(server.extend({ paths: z.array(FilePath).max(50) })),

  'transfers.list': call<Transfers>().of(nothing),
  'transfers.items': call<{ items: TransferItem[]; total: number }>().of(
    transfer.extend({
      only: z.enum(['failed', 'all']),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
  ),
  /** Into the downloads folder, under a free name. `backup`: as that backup has them. */
  'transfers.download': call<{ transferId: string }>().of(
    server.extend({ paths: Paths, backup: BackupRef.optional() }),
  ),
  /** Between servers, also of different connections. */
  'transfers.copy': call<{ transferId: string }>().of(
    z.object({ from: server, paths: Paths, to: server.extend({ folder: FilePath }) }),
  ),
  'transfers.pause': call<void>().of(transfer),
  'transfers.resume': call<void>().of(transfer),
  'transfers.cancel': call<void>().of(transfer),
  'transfers.retry': call<void>().of(transfer),
  /** Moves a waiting transfer before another; null: last. */
  'transfers.reorder': call<void>().of(transfer.extend({ before: Id.nullable() })),
  'transfers.answer': call<void>().of(
    transfer.extend({ itemId: Id, choice: z.enum(['replace', 'keep-both', 'skip']), forAll: z.boolean() }),
  ),
  'transfers.clear': call<void>().of(z.object({ transferId: Id.optional() })),
  'transfers.limit': call<void>().of(
    z.object({ limit: z.number().int().min(1024).nullable(), atOnce: z.number().int().min(1).max(8) }),
  ),

  ...accountCalls,
  ...backupCalls,
  ...computerCalls,
  ...copyCalls,
  ...relocationCalls,
  ...machineCalls,
  ...powerLineCalls,
  ...desktopCalls,
  ...diagnosticsCalls,
  ...settingsTransferCalls,
  ...externalEditorCalls,
  ...railCalls,
  ...serverCalls,
  ...updateCalls,
  /** Starts `console` events for a server to this window. Answers the newest known lines, at most `limit`. */
  /** The newest lines, or all `after` the last one shown. Events of the watch continue them, complete and in order. */
  'console.watch': call<{
    watch: number
    state: ConsoleState
    history: HistoryState
    pieces: StreamedPiece[]
  }>().of(server.extend({ limit: z.number().int().min(0).max(10_000), after: LineId.optional() })),
  'console.unwatch': call<void>().of(server),
  'console.live': call<LiveUpdates>().of(connection),
  /** Lines before or after an id, oldest first, from the archive or the service. `end`: there are no more. */
  'console.page': call<{ pieces: ConsolePiece[]; end: boolean }>().of(
    server.extend({
      before: LineId.optional(),
      after: LineId.optional(),
      limit: z.number().int().min(1).max(10_000),
    }),
  ),
  'console.commands': call<string[]>().of(server),
} satisfies Record<string, Call>

type Calls = typeof calls
export type CallName = keyof Calls
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>
export type ParsedCallInput<N extends CallName> = z.output<Calls[N]['input']>
export type CallAnswer<N extends CallName> = Calls[N] extends Call<z.ZodType, infer Out> ? Out : never
export type CallOutput<N extends CallName, In = CallInput<N>> = N extends 'view.read'
  ? In extends { view: infer V extends ViewId }
    ? View<ViewValue<V>>
    : never
  : N extends 'operation.send'
    ? In extends { operation: infer W extends PassedId }
      ? OutputOf<OperationOf<W>>
      : never
    : CallAnswer<N>
