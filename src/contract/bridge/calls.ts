import { z } from 'zod'
import { Email, Password } from '../areas/account.ts'
import { Conflict, FilePath, ItemPath, NameEncoding } from '../areas/values/file-values.ts'
import type { OperationOf, PassedId, ViewId } from '../areas/index.ts'
import type { OutputOf } from '../declarations/operation.ts'
import type { Promotion } from '../areas/promocodes.ts'
import { SecondFactorCode, type SecondFactorSecret } from '../areas/second-factor.ts'
import { BaseUrl, call, type Call, connection, Id, Secret, server } from './call.ts'
import { computerCalls } from './computer-calls.ts'
import { desktopCalls } from './desktop-calls.ts'
import { diagnosticsCalls } from './diagnostics-calls.ts'
import { googleCalls } from './google-calls.ts'
import { movingCalls } from './moving-calls.ts'
import { handedCalls } from './handed-calls.ts'
import { leaveView, readView, sendOperation, type ViewValue } from './passed.ts'
import { railCalls } from './rail-calls.ts'
import { serverCalls } from './server-calls.ts'
import { updateCalls } from './update-calls.ts'
import type {
  AppInfo,
  Connection,
  ConsolePiece,
  ConsoleState,
  Deletion,
  DriftReport,
  FileJob,
  FilePage,
  Draft,
  FormerContent,
  HistoryState,
  ItemResult,
  KeptHere,
  LiveUpdates,
  Note,
  ProfileSaved,
  ProfileTried,
  ServiceProfile,
  Settings,
  TextFile,
  TrashEntry,
  View,
} from './values.ts'
import type { TransferItem, Transfers } from './transfer-values.ts'

const nothing = z.undefined()

const LineId = z.string().min(1).max(60)
/** A code from a mail. Ours has six digits; what others send is theirs. */
const AnyCode = z.string().trim().min(1).max(100)

const Paths = z.array(ItemPath).min(1).max(1000)
const Moves = z
  .array(z.object({ from: ItemPath, to: ItemPath }))
  .min(1)
  .max(1000)
/** A text that the editor may hold, in UTF-16 units: 5 MiB of ASCII. */
const FileText = z.string().max(5 * 1024 * 1024)
const ProfileText = z.string().max(200_000)
/** What headers of a profile always hold, where a person typed it anew. */
const HeaderValues = z
  .array(z.object({ name: z.string().min(1).max(60), value: z.string().min(1).max(4000) }))
  .max(10)
const transfer = z.object({ transferId: Id })

/** Every call, name → input and output. Handlers, ways in and the renderer's types come from here. */
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
    }),
  ),
  /** The network came back: what is away or has failed is asked now. */
  'app.online': call<void>().of(nothing),
  /** Opens an https address in the person's browser. */
  'app.open': call<void>().of(z.object({ url: z.url({ protocol: /^https$/ }) })),

  'connections.list': call<Connection[]>().of(nothing),
  /** Starts the built-in service where it does not run, and connects to it. */
  'connections.this-computer': call<Connection>().of(nothing),
  /** Starts the built-in service with the newest copy of its database, where that cannot be read. */
  'connections.restore-this-computer': call<Connection>().of(nothing),
  'connections.sign-in': call<Connection>().of(
    z.object({ baseUrl: BaseUrl, email: Email, password: Secret, code: SecondFactorCode.optional() }),
  ),
  'connections.use-token': call<Connection>().of(z.object({ baseUrl: BaseUrl, token: Secret })),
  /** `everywhere`: all other sign-ins of the account end too; where they cannot, nothing is done. */
  'connections.sign-out': call<{ revoked: boolean; expiresAt: string | null }>().of(
    connection.extend({ everywhere: z.boolean().optional() }),
  ),
  /** Asks the service again now. */
  'connections.retry': call<Connection>().of(connection),

  /** Where the service answers otherwise than the contract. */
  'service.drift': call<DriftReport>().of(connection),
  'service.clear-drift': call<void>().of(connection),
  'service.profile': call<ServiceProfile>().of(connection),
  /** Keeps a profile, and in the keychain what its headers hold. Values are never told again. */
  'service.save-profile': call<ProfileSaved>().of(
    connection.extend({ text: ProfileText, values: HeaderValues }),
  ),
  'service.remove-profile': call<void>().of(connection),
  /** Keeps in the service's profile the names that it wanted of a request before there is a connection (`wanted`). */
  'service.use-names': call<void>().of(z.object({ baseUrl: BaseUrl })),
  /** Asks the service as a profile says, by reads alone. */
  'service.check-profile': call<ProfileTried>().of(
    connection.extend({ text: ProfileText, values: HeaderValues }),
  ),

  'account.register': call<void>().of(
    z.object({
      baseUrl: BaseUrl,
      name: z.string().max(200),
      email: Email,
      password: Password,
      language: z.enum(['en', 'de']).optional(),
    }),
  ),
  /** Null: confirmed, and signing in is another step at this service. */
  'account.confirm': call<Connection | null>().of(
    z.object({ baseUrl: BaseUrl, email: Email, code: AnyCode }),
  ),
  ...googleCalls,
  'account.resend': call<void>().of(z.object({ baseUrl: BaseUrl, email: Email })),
  'account.forgot': call<void>().of(z.object({ baseUrl: BaseUrl, email: Email })),
  'account.reset': call<void>().of(
    z.object({ baseUrl: BaseUrl, email: Email, code: AnyCode, password: Password }),
  ),
  'account.update-password': call<void>().of(
    connection.extend({
      currentPassword: Secret,
      newPassword: Password,
      code: SecondFactorCode.optional(),
    }),
  ),
  /** Writes all that the service holds of the account into a file in the folder for downloads of this computer. */
  'account.save-export': call<{ path: string }>().of(connection),
  /** Writes the activity log of a server into a file there. */
  'activity.save': call<{ path: string }>().of(server.extend({ format: z.enum(['csv', 'json']) })),
  /** The secret for a person's app: told to the window that asked, and kept nowhere. */
  'account.begin-second-factor': call<SecondFactorSecret>().of(
    connection.extend({ currentPassword: Secret }),
  ),
  /** Answers the recovery codes, which no one can be told again. */
  'account.turn-on-second-factor': call<{ recoveryCodes: string[] }>().of(
    connection.extend({ code: SecondFactorCode }),
  ),
  'account.turn-off-second-factor': call<void>().of(
    connection.extend({ currentPassword: Secret, code: SecondFactorCode }),
  ),
  'account.unlink-identity': call<void>().of(
    connection.extend({
      identityId: Id,
      currentPassword: Secret,
      code: SecondFactorCode.optional(),
    }),
  ),

  /** Null: activated, and the service does not say what that gives. */
  'promocodes.activate': call<Promotion | null>().of(connection.extend({ code: AnyCode })),

  /**
   * A view of the cache: it answers at once with what is known, and the service is asked behind it. The name of a view is
   * the id of its read. A read whose answer is never kept is awaited. `again` asks the service itself, whatever is
   * remembered of it, and awaits the answer.
   */
  'view.read': call<View<unknown>>().among(readView),
  /** The window no longer shows a view that it has read: nobody waits for it any more. */
  'view.leave': call<void>().among(leaveView),
  /** Sends a write that is declared as passed on. The views that it makes stale are read again. */
  'operation.send': call<unknown>().among(sendOperation),

  /** Reads a file for the editor. Binary and too large ones answer what they are. */
  'files.read-text': call<TextFile>().of(server.extend({ path: ItemPath })),
  'files.read-page': call<FilePage>().of(
    server.extend({
      path: ItemPath,
      offset: z.number().int().min(0),
      length: z
        .number()
        .int()
        .min(1)
        .max(1024 * 1024),
    }),
  ),
  /**
   * Saves a text. `base` is the ETag it grew from; `create` refuses where there is a file already; `overwrite` writes
   * whatever is there. The former content is kept on this computer first. Problem `changed`: read it and compare;
   * `not-found`: it was deleted meanwhile.
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
  /** Writes 64×64 pixels (PNG, base64) as the server's icon. */
  'files.write-icon': call<void>().of(server.extend({ png: z.base64().max(65_536) })),
  /** The text that was left unsaved in the editor, whatever ended the window; null where there is none. */
  'files.draft': call<Draft | null>().of(server.extend({ path: ItemPath })),
  /** Keeps what is not saved yet. Bounded in all; wiped when signing out. */
  'files.keep-draft': call<void>().of(
    server.extend({
      path: ItemPath,
      text: FileText,
      etag: z.string().max(200).nullable(),
      at: z.number().int().min(0),
    }),
  ),
  'files.discard-draft': call<void>().of(server.extend({ path: ItemPath })),
  /** Former contents of a file, or of all files of the server, newest first. */
  'files.former': call<FormerContent[]>().of(server.extend({ path: ItemPath.optional() })),
  'files.former-text': call<{ text: string }>().of(server.extend({ id: Id })),
  'files.move': call<{ results: ItemResult[] }>().of(server.extend({ items: Moves, conflict: Conflict })),
  'files.copy': call<{ results: ItemResult[] }>().of(server.extend({ items: Moves, conflict: Conflict })),
  /** Asks whether deleting these would be for good, and what of them would be kept on this computer then. */
  'files.deletion': call<Deletion>().of(server.extend({ paths: Paths })),
  /**
   * Into the trash, or for good where the service has none. `keep` says what is kept on this computer first: small
   * texts, or `all` that `files.deletion` told of in that `question`; what should be kept and cannot be is not deleted.
   * Where more would be lost by now than the question named, nothing is deleted: `changed`, with `MORE_LOST`. `kept` names
   * what no trash holds.
   */
  'files.remove': call<{ results: ItemResult[]; trash: TrashEntry[]; kept: KeptHere }>().of(
    server.extend({
      paths: Paths,
      keep: z.enum(['texts', 'all', 'none']).default('texts'),
      question: Id.optional(),
    }),
  ),
  /** Puts back what was kept of a deletion, to where it was; nothing is written over. */
  'files.bring-back': call<{ results: ItemResult[] }>().of(
    server.extend({ ids: z.array(Id).max(1000), folders: z.array(ItemPath).max(1000) }),
  ),
  'files.restore': call<{ results: ItemResult[] }>().of(
    server.extend({ ids: z.array(Id).min(1).max(1000), conflict: Conflict }),
  ),
  /** Null: begun, and the service does not say how to follow it. */
  'files.archive': call<FileJob | null>().of(
    server.extend({ paths: Paths, to: ItemPath, format: z.enum(['zip', 'tar.gz']), conflict: Conflict }),
  ),
  'files.extract': call<FileJob | null>().of(
    server.extend({ path: ItemPath, to: FilePath, conflict: Conflict, names: NameEncoding.optional() }),
  ),
  /** Places of a server that a person wants at hand; kept on this computer. */
  'files.favourites': call<string[]>().of(server),
  'files.set-favourites': call<string[]>().of(server.extend({ paths: z.array(FilePath).max(50) })),

  'transfers.list': call<Transfers>().of(nothing),
  /** Items of a transfer, those that failed first. */
  'transfers.items': call<{ items: TransferItem[]; total: number }>().of(
    transfer.extend({
      only: z.enum(['failed', 'all']),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
  ),
  /** Into the folder for downloads of this computer, under a name that is free. */
  'transfers.download': call<{ transferId: string }>().of(server.extend({ paths: Paths })),
  /** From one server to another, of any connections. */
  'transfers.copy': call<{ transferId: string }>().of(
    z.object({ from: server, paths: Paths, to: server.extend({ folder: FilePath }) }),
  ),
  'transfers.pause': call<void>().of(transfer),
  'transfers.resume': call<void>().of(transfer),
  'transfers.cancel': call<void>().of(transfer),
  /** Tries again what failed, and only that. */
  'transfers.retry': call<void>().of(transfer),
  /** Puts a waiting transfer before another one; null: last. */
  'transfers.reorder': call<void>().of(transfer.extend({ before: Id.nullable() })),
  'transfers.answer': call<void>().of(
    transfer.extend({ itemId: Id, choice: z.enum(['replace', 'keep-both', 'skip']), forAll: z.boolean() }),
  ),
  /** Takes ended transfers out of the history: one, or all of them. */
  'transfers.clear': call<void>().of(z.object({ transferId: Id.optional() })),
  'transfers.limit': call<void>().of(
    z.object({ limit: z.number().int().min(1024).nullable(), atOnce: z.number().int().min(1).max(8) }),
  ),

  ...computerCalls,
  ...desktopCalls,
  ...diagnosticsCalls,
  ...movingCalls,
  ...handedCalls,
  ...railCalls,
  ...serverCalls,
  ...updateCalls,
  /** Begins the flow of `console` events for a server to this window. Answers the newest lines known, at most `limit`. */
  'console.watch': call<{ state: ConsoleState; history: HistoryState; pieces: ConsolePiece[] }>().of(
    server.extend({ limit: z.number().int().min(0).max(10_000) }),
  ),
  'console.unwatch': call<void>().of(server),
  /** How a connection's live updates stand; the event `live` tells when that changes. */
  'console.live': call<LiveUpdates>().of(connection),
  /** Lines before or after an id, oldest first, from the archive or the service. `end`: nothing lies beyond. */
  'console.page': call<{ pieces: ConsolePiece[]; end: boolean }>().of(
    server.extend({
      before: LineId.optional(),
      after: LineId.optional(),
      limit: z.number().int().min(1).max(10_000),
    }),
  ),
  /** Commands sent before, newest first. */
  'console.commands': call<string[]>().of(server),
} satisfies Record<string, Call>

export type Calls = typeof calls
export type CallName = keyof Calls
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>
/** What a handler is given: the parsed input. */
export type CallParsed<N extends CallName> = z.output<Calls[N]['input']>
/** What a handler answers. */
export type CallAnswer<N extends CallName> = Calls[N] extends Call<z.ZodType, infer Out> ? Out : never
/** What a call answers; of the generic ones that follows from what they are asked for. */
export type CallOutput<N extends CallName, In = CallInput<N>> = N extends 'view.read'
  ? In extends { view: infer V extends ViewId }
    ? View<ViewValue<V>>
    : never
  : N extends 'operation.send'
    ? In extends { operation: infer W extends PassedId }
      ? OutputOf<OperationOf<W>>
      : never
    : CallAnswer<N>
