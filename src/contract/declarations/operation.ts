import { z } from 'zod'
import type { HostScope } from '../rules/scopes.ts'

/** Stated by the specification, filled in by us, or outside of it. */
export type Origin = 'stated' | 'assumed' | 'extension'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Area =
  | 'account'
  | 'servers'
  | 'console'
  | 'players'
  | 'files'
  | 'backups'
  | 'software'
  | 'extensions'
  | 'modpacks'
  | 'access'
  | 'notifications'
  | 'promocodes'
  | 'activity'
  | 'schedules'
  | 'nodes'
  | 'hosting'

/** What the built-in service lets people have. */
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
  'backups.read',
  'backups.create',
  'backups.restore',
  'backups.delete',
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
  'schedules.read',
  'schedules.write',
] as const
export type GrantedScope = (typeof SCOPES)[number]

export type Scope = GrantedScope | HostScope

/** Several: all of them. Depending on a body field, a table, so that every row can be listed and tested. */
export type ScopeRule<Fields = Readonly<Record<string, string>>> =
  | Scope
  | readonly Scope[]
  | 'owner'
  | {
      [Field in keyof Fields & string]: {
        by: Field
        needs: Readonly<Record<Fields[Field] & string, readonly Scope[]>>
      }
    }[keyof Fields & string]

/** Body fields with a closed list of values. */
export type WordFields<Body> = Body extends z.ZodType
  ? { [F in keyof z.output<Body> as z.output<Body>[F] extends string ? F : never]: z.output<Body>[F] }
  : EmptyObject

/** `by`: field that identifies list items; null if not unique. `parts`: sources that can be reported as unreadable. */
export type Answer =
  | { kind: 'none' }
  /** `needed`: the write is useless without its answer, such as a token. */
  | { kind: 'json'; schema: z.ZodType; needed?: true }
  | { kind: 'list'; item: z.ZodType; by: string | null; page?: true; parts?: readonly string[] }
  | { kind: 'events'; needs: Readonly<Record<string, Scope>> }
  | { kind: 'bytes' }

/** Further requests of a protocol below an operation's path, with the operation's token, server and scope. */
export interface Subresource {
  path: `/${string}`
  methods: readonly ('HEAD' | 'PATCH' | 'DELETE')[]
}

/** What a write can affect, as shown in the activity log. */
export const TARGET_KINDS = [
  'player',
  'file',
  'person',
  'server',
  'command',
  'setting',
  'switch',
  'extension',
  'schedule',
] as const
type TargetKind = (typeof TARGET_KINDS)[number]

/** The values of one field. By default only the operation's name, so that a new field's secret can't get in. */
export type LogTarget<Params = string, Query = string, Body = string> =
  /** One text or several; `each`: a field of each object in a list. `as`: the part of it that may be recorded. */
  | { is: TargetKind; by: 'params'; field: Params }
  | { is: TargetKind; by: 'query'; field: Query }
  | { is: TargetKind; by: 'body'; field: Body; each?: string; as?: (text: string) => string | null }
  | { is: 'setting'; by: 'names' }
  /** A field of each of the answer's `results`. */
  | { is: TargetKind; by: 'results'; field: string }
  /** Reported by the handler. If it reports nothing, a successful write is an intermediate step and isn't logged. */
  | { is: TargetKind; by: 'handler' }

/** `own`: it takes more than HTTP, or carries bytes, a password or a token. */
export type Bridge = 'pass' | 'own'

export type CacheLifetime = 'disk' | 'memory' | 'never'

/** `most`: maximum number of items; `each`: page size. */
export interface Pages {
  most: number
  each: number
}

/** `burst` in a row, then one at a time. */
export interface Rate {
  burst: number
  perSecond: number
}

/** For work that grows with the data: each account runs a few per lane; the rest queue. */
export type Lane = 'reading' | 'changing' | 'bringing' | 'searching'

/** Path parameter names: `/servers/:serverId` → `serverId`. */
export type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Source of the service's route with its scope check, the client's call, a read's view and the OpenAPI document. */
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
  /** `area.verb`, unique; used in profiles and logs. A read's id is the name of its view. */
  id: Id
  area: Area
  summary: string
  method: Method
  path: Path
  origin: { path: Origin; method: Origin; shape: Origin }
  token: boolean
  scope: ScopeRule | null
  query: Query
  body: Body
  /** The body is raw bytes, read by the handler, instead of JSON. */
  sends: 'bytes' | null
  /** Names sent with the bytes: form fields, keys of `Upload-Metadata`. */
  carries: readonly string[]
  status: number
  answer: A
  bridge: B
  keep: CacheLifetime
  /** Lists only; null: the first page is all. */
  pages: Pages | null
  tag: boolean
  /** Timeout in ms until the answer starts, if it needs long; null for the client's default. */
  patience: number | null
  /** How often the built-in service lets an account request what is cheap to ask but costly to do. */
  rate: Rate | null
  lane: Lane | null
  ifMatch: boolean
  secondFactor: boolean
  /** The read whose new value this write returns, for the same parameters. */
  puts: Stale | null
  /** Reads made stale by this write; for a path with a server, only that server's. */
  stale: readonly Stale[]
  /** Null: only the operation's name is logged. */
  logged: LogTarget | null
  below: Subresource | null
}

export const json = <S extends z.ZodType>(schema: S) => ({ kind: 'json', schema }) as const

export const needed = <S extends z.ZodType>(schema: S) => ({ kind: 'json', schema, needed: true }) as const

/** A page `{items, nextCursor}`. Invalid items are left out and reported. */
export const list = <S extends z.ZodType<object>>(item: S, by: (keyof z.output<S> & string) | null) =>
  ({ kind: 'list', item, by }) as const

export const listOfParts = <S extends z.ZodType<object>>(
  item: S,
  by: (keyof z.output<S> & string) | null,
  parts: readonly string[],
) => ({ kind: 'list', item, by, parts }) as const

/** A list read page by page: each page is a view, addressed by its cursor. */
export const paged = <S extends z.ZodType<object>>(item: S, by: (keyof z.output<S> & string) | null) =>
  ({ kind: 'list', item, by, page: true }) as const

export const all = (most: number, each = most): Pages => ({ most, each })

export const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(200).optional(),
  cursor: z.string().max(200).optional(),
})

/** A value this contract doesn't know, shown as is rather than an error. */
export interface UnknownValue {
  kind: 'unknown'
  raw: string
}

/**
 * Unknown members become `{kind: 'unknown', raw}`. `words`: other services' unambiguous names for a member;
 * `unsaid`: an object without it is shown all the same.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(
  members: T,
  words: { readonly [Member in T[number]]?: readonly string[] } = {},
  { unsaid = false }: { unsaid?: boolean } = {},
) {
  const schema = z
    .union([z.enum(members), z.string().transform((raw): UnknownValue => ({ kind: 'unknown', raw }))])
    .meta({ type: 'string', examples: [...members] })
  otherWords.set(schema, words)
  if (unsaid) mayBeUnsaid.add(schema)
  return schema
}

export const mayBeUnsaid = new WeakSet<z.ZodType>()
export const otherWords = new WeakMap<z.ZodType, Readonly<Record<string, readonly string[] | undefined>>>()

export const Time = z.iso.datetime({ offset: true })

type EmptyObject = Record<never, never>

export type InputOf<Op> =
  Op extends Operation<infer Path, infer Query, infer Body, Answer>
    ? ([ParamName<Path>] extends [never] ? EmptyObject : { params: Record<ParamName<Path>, string> }) &
        (Query extends z.ZodObject ? { query?: z.input<Query> } : EmptyObject) &
        (Body extends z.ZodType ? { body: z.input<Body> } : EmptyObject)
    : never

/** The input of an operation as whoever answers it gets it, parsed. */
export type ParamsOf<Op> =
  Op extends Operation<infer Path, z.ZodObject | undefined, z.ZodType | undefined, Answer>
    ? Record<ParamName<Path>, string>
    : never
export type QueryOf<Op> = Op extends { query: infer Q extends z.ZodObject } ? z.output<Q> : undefined
export type BodyOf<Op> = Op extends { body: infer B extends z.ZodType } ? z.output<B> : undefined

export interface InvalidItem {
  index: number
  /** First invalid field, such as `items.3.name`. */
  path: string
}

export interface Page<T> {
  items: T[]
  nextCursor: string | null
  leftOut: InvalidItem[]
  /** Sources the service couldn't read completely; absent if none. */
  unreadable?: string[]
  /** No further page. Also false if the service's paging is unknown. */
  complete: boolean
  /** Total reported by the service, if that alone suggests further pages; the previous pages may account for it. */
  total?: number
}

/** The parsed answer. A write succeeds with any 2xx; null if its body doesn't contain the expected value. */
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

// Shared field schemas: creating one per field made every program start a quarter longer. Annotations such as `idOf`
// and `textAlone` need a schema of their own.

export const maybe = {
  text: z.string().nullish(),
  flag: z.boolean().nullish(),
  number: z.number().nullish(),
  whole: z.number().int().nullish(),
  count: z.number().int().min(0).nullish(),
  amount: z.number().min(0).nullish(),
}

export const always = {
  text: z.string(),
  filled: z.string().min(1),
}
