import { z } from 'zod'

/** Whether the specification states a thing, we fill it in, or it belongs to no area of the specification at all. */
export type Origin = 'stated' | 'assumed' | 'extension'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The areas of the specification (§1), as the panel's tabs and the service's route files name them. */
export type Area =
  | 'account'
  | 'servers'
  | 'console'
  | 'players'
  | 'files'
  | 'software'
  | 'extensions'
  | 'modpacks'
  | 'access'
  | 'notifications'
  | 'promocodes'
  | 'activity'

/** What an account can be allowed to do at one server. */
export const SCOPES = [
  'server.read',
  'control.start',
  'control.stop',
  'control.kill',
  'console.read',
  'console.send',
  'stats.read',
  'files.read',
  'files.write',
  'files.delete',
  'config.read',
  'config.write',
  'software.write',
  'extensions.read',
  'extensions.write',
  'players.read',
  'players.act',
  'activity.read',
  'access.read',
  'access.write',
] as const
export type Scope = (typeof SCOPES)[number]

/**
 * What an operation of a server needs: one scope, the server's owner, or the scopes that a field of its body calls for,
 * all of which must be held. A table and no function, so that every row of it can be listed and tested.
 */
export type ScopeRule<Fields = Readonly<Record<string, string>>> =
  | Scope
  | 'owner'
  | {
      [Field in keyof Fields & string]: {
        by: Field
        needs: Readonly<Record<Fields[Field] & string, readonly Scope[]>>
      }
    }[keyof Fields & string]

/** The fields of a body whose values a rule can name: words of a closed list. */
export type WordFields<Body> = Body extends z.ZodType
  ? { [F in keyof z.output<Body> as z.output<Body>[F] extends string ? F : never]: z.output<Body>[F] }
  : Empty

/**
 * What a successful answer carries. `by` is the field by which items of a list are told apart; null where two can be
 * alike. `parts`: the sources of a list; the service may name those it could not read.
 */
export type Answer =
  | { kind: 'none' }
  /** `needed`: a write is nothing without what its answer holds, such as a token. */
  | { kind: 'json'; schema: z.ZodType; needed?: true }
  | { kind: 'list'; item: z.ZodType; by: string | null; page?: true; parts?: readonly string[] }
  /** Events of servers that the query names: each kind is told where the caller holds what it needs at its server. */
  | { kind: 'events'; needs: Readonly<Record<string, Scope>> }
  | { kind: 'bytes' }

/**
 * Requests of a protocol behind an operation's path that are no operations of their own. They need what the operation
 * needs: its token, its server and its scope.
 */
export interface Below {
  /** Follows the operation's path. */
  path: `/${string}`
  methods: readonly ('HEAD' | 'PATCH' | 'DELETE')[]
}

/** What a write can be about, as the activity log tells it. */
export const TARGET_KINDS = [
  'player',
  'file',
  'person',
  'server',
  'command',
  'setting',
  'switch',
  'extension',
] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/**
 * What of a write the activity log may hold beside who asked for it: the values of one field, and nothing else of what
 * was sent. A write that declares nothing is in the log by its name alone, so that no secret of a new field gets there.
 */
export type Logged<Params = string, Query = string, Body = string> =
  /** A text, or several; of a list of objects `each` of them by a field. `only`: a closed list of what may be told. */
  | { is: TargetKind; by: 'params'; field: Params }
  | { is: TargetKind; by: 'query'; field: Query }
  | { is: TargetKind; by: 'body'; field: Body; each?: string; only?: ReadonlySet<string> }
  /** The names of the fields that were sent, without what they hold. */
  | { is: 'setting'; by: 'names' }
  /** Of what was answered: a field of each of the `results`. */
  | { is: TargetKind; by: 'results'; field: string }
  /** The handler tells it. What it has told nothing of was a step on the way, and is not in the log where it was done. */
  | { is: TargetKind; by: 'handler' }

/**
 * Whether the window may ask for an operation by its id: a read as a view, a write as it stands. `own`: it takes more than
 * HTTP, or carries bytes, a password or a token.
 */
export type Bridge = 'pass' | 'own'

/** Where the answer of a read is kept: on the disk too, only while the panel runs, or nowhere, so that each reader asks. */
export type Keep = 'disk' | 'memory' | 'never'

/** How a list is read: with all pages that follow, up to so many items; `each` are asked for at once. */
export interface Pages {
  most: number
  each: number
}

/** The names of the path parameters in a path: `/servers/:serverId` → `serverId`. */
export type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/**
 * One operation of the Hosting Control API: a read, which changes nothing, or a write. From this declaration come the
 * service's route with its check of scopes, the client's call, the view of a read and the OpenAPI document.
 */
export interface Operation<
  Path extends string = string,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Answer = Answer,
  Id extends string = string,
  Kind extends 'read' | 'write' = 'read' | 'write',
  Stale extends string = string,
  B extends Bridge = Bridge,
> {
  kind: Kind
  /** `area.verb`, unique; profiles and logs name the operation by it. The id of a read is the name of its view. */
  id: Id
  area: Area
  summary: string
  method: Method
  path: Path
  origin: { path: Origin; method: Origin; shape: Origin }
  /** Whether it needs the bearer token (§5). */
  token: boolean
  /** What the caller must hold at the server that the path names; null where it names none. */
  scope: ScopeRule | null
  query: Query
  body: Body
  /** Whether the request's body is raw bytes, which the handler reads by itself, instead of JSON. */
  sends: 'bytes' | null
  /** Names that go with the bytes: the fields of a form, the keys of `Upload-Metadata`. */
  carries: readonly string[]
  /** Status of a successful answer. */
  status: number
  answer: A
  bridge: B
  /** Of a read. */
  keep: Keep
  /** Of a list; null where its first page is all that is read. */
  pages: Pages | null
  /** Whether the ETag of this read travels in its view. */
  tag: boolean
  /** Within which time it has to begin to answer, in ms, where it works long before that; null for the client's own. */
  patience: number | null
  /** Whether this write takes the ETag that was read. */
  ifMatch: boolean
  /** Whether this write asks for the code of the second factor, of accounts that have one. */
  secondFactor: boolean
  /** The read whose new value this write answers, for the same parameters. */
  puts: Stale | null
  /** Reads whose kept answers this write makes stale. Those of one server where the path names a server. */
  stale: readonly Stale[]
  /** What the activity log may hold of this write; null where its name is all. */
  logged: Logged | null
  below: Below | null
}

/** An answer that is one JSON value. */
export const json = <S extends z.ZodType>(schema: S) => ({ kind: 'json', schema }) as const

/** An answer that its write is asked for, such as a token: without it nothing was reached. */
export const needed = <S extends z.ZodType>(schema: S) => ({ kind: 'json', schema, needed: true }) as const

/** An answer that is a page of a list: `{items, nextCursor}`. Items that do not fit are left out and told. */
export const list = <S extends z.ZodType<object>>(item: S, by: (keyof z.output<S> & string) | null) =>
  ({ kind: 'list', item, by }) as const

/** As `list`. Beside the items, `unreadable` may name sources of the list that could not be read. */
export const listOfParts = <S extends z.ZodType<object>>(
  item: S,
  by: (keyof z.output<S> & string) | null,
  parts: readonly string[],
) => ({ kind: 'list', item, by, parts }) as const

/** As `list`, where people read on page by page: a view is one page, and its query takes the cursor of the one before. */
export const paged = <S extends z.ZodType<object>>(item: S, by: (keyof z.output<S> & string) | null) =>
  ({ kind: 'list', item, by, page: true }) as const

/** Every page of a list, up to so many items. `each`: how many are asked for at once; all of them unless given. */
export const all = (most: number, each = most): Pages => ({ most, each })

/** The query every list takes. `limit` is a count of items, at most 200. */
export const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(200).optional(),
  cursor: z.string().max(200).optional(),
})

/** Something a newer service may send that this contract does not know: shown as it is, never an error. */
export interface Unknown {
  kind: 'unknown'
  raw: string
}

/**
 * An enum that outlives alpha changes: known members stay strings, others become `{kind: 'unknown', raw}`. `words` are
 * others' names of a member, where they can mean nothing else; `flags`: see `Flags`.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(
  members: T,
  words: { readonly [Member in T[number]]?: readonly string[] } = {},
  flags: { opposites?: { readonly [Member in T[number]]?: T[number] }; unsaid?: true } = {},
) {
  const schema = z
    .union([z.enum(members), z.string().transform((raw): Unknown => ({ kind: 'unknown', raw }))])
    .meta({ type: 'string', examples: [...members] })
  otherWords.set(schema, words)
  flagsOf.set(schema, { opposites: flags.opposites ?? {}, unsaid: flags.unsaid ?? false })
  return schema
}

/** How a member of an open enum may be said by fields of its own, such as `isDirectory: true`. */
export interface Flags {
  /** What it is where such a field is false, for members that leave but one other. */
  opposites: Readonly<Record<string, string | undefined>>
  /** Whether a thing is worth showing where nothing says what it is. */
  unsaid: boolean
}
export const flagsOf = new WeakMap<z.ZodType, Flags>()

/** Others' words for the members of open enums. */
export const otherWords = new WeakMap<z.ZodType, Readonly<Record<string, readonly string[] | undefined>>>()

/** Times are ISO 8601 in UTC. */
export const Time = z.iso.datetime({ offset: true })

type Empty = Record<never, never>

/** What a caller gives an operation: path parameters, query and body, each only where declared. */
export type InputOf<Op> =
  Op extends Operation<infer Path, infer Query, infer Body, Answer>
    ? ([ParamName<Path>] extends [never] ? Empty : { params: Record<ParamName<Path>, string> }) &
        (Query extends z.ZodObject ? { query?: z.input<Query> } : Empty) &
        (Body extends z.ZodType ? { body: z.input<Body> } : Empty)
    : never

/** An item of a list that did not fit its schema, and where. */
export interface LeftOut {
  index: number
  /** Path of the first field that did not fit, such as `items.3.name`. */
  path: string
}

/** A page of a list as the client hands it on. */
export interface Page<T> {
  items: T[]
  nextCursor: string | null
  leftOut: LeftOut[]
  /** Sources of the list that the service could not read completely; absent if there are none. */
  unreadable?: string[]
  /** Whether no further page follows. False too where the service pages in a way that is not known. */
  complete: boolean
  /**
   * How many the service says there are, where that alone speaks against this page being the last: with those before it
   * they may be all.
   */
  total?: number
}

/** What an operation answers, parsed. A write is done with any 2xx; null where its body does not say what it might. */
export type OutputOf<Op> =
  Op extends Operation<
    string,
    z.ZodObject | undefined,
    z.ZodType | undefined,
    infer A,
    string,
    infer Kind,
    string
  >
    ? A extends { kind: 'json'; schema: infer S extends z.ZodType }
      ? z.output<S> | ('write' extends Kind ? (A extends { needed: true } ? never : null) : never)
      : A extends { kind: 'list'; item: infer I extends z.ZodType }
        ? Page<z.output<I>>
        : A extends { kind: 'none' }
          ? undefined
          : ReadableStream<Uint8Array>
    : never
