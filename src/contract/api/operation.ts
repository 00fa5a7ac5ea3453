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
  | 'access'
  | 'notifications'
  | 'promocodes'

/** The cached views. A mutation names the ones it makes stale (§4, last paragraph). */
export type ViewName =
  'servers' | 'server' | 'status' | 'software' | 'account' | 'players' | 'files' | 'limits' | 'trash'

/** What a successful answer carries. */
export type Answer =
  | { kind: 'none' }
  | { kind: 'json'; schema: z.ZodType }
  | { kind: 'list'; item: z.ZodType }
  | { kind: 'events' }
  | { kind: 'bytes' }

/** The names of the path parameters in a path: `/servers/:serverId` → `serverId`. */
export type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/**
 * One operation of the Hosting Control API. From this declaration come the service's route, the client's call and the
 * OpenAPI document.
 */
export interface Operation<
  Path extends string = string,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Answer = Answer,
> {
  /** `area.verb`, unique; profiles and logs name the operation by it. */
  id: string
  area: Area
  summary: string
  method: Method
  path: Path
  origin: { path: Origin; method: Origin; shape: Origin }
  /** Whether it needs the bearer token (§5). */
  token: boolean
  query: Query
  body: Body
  /** Whether the request's body is raw bytes, which the handler reads by itself, instead of JSON. */
  sends: 'bytes' | null
  /** Status of a successful answer. */
  status: number
  answer: A
  /** Cached views this call makes stale. Those of one server where the path names a server. */
  stale: readonly ViewName[]
  /** False: declared, so that it can be refused with 501 and shown as not offered, but not built yet. */
  built: boolean
}

interface Declaration<Path extends string, Query, Body, A> {
  id: string
  summary: string
  method: Method
  path: Path
  /** One word where path, method and shape share it. */
  origin: Origin | { path: Origin; method: Origin; shape: Origin }
  token?: boolean
  query?: Query
  body?: Body
  sends?: 'bytes'
  status?: number
  answer?: A
  stale?: readonly ViewName[]
}

/** Makes the declaring functions of one area: `built` for operations that work, `planned` for those answered by 501. */
export function area(name: Area) {
  function declare<
    const Path extends string,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
    A extends Answer = { kind: 'none' },
  >(built: boolean, d: Declaration<Path, Query, Body, A>): Operation<Path, Query, Body, A> {
    const answer = d.answer ?? ({ kind: 'none' } as A)
    const origin =
      typeof d.origin === 'string' ? { path: d.origin, method: d.origin, shape: d.origin } : d.origin
    return {
      id: d.id,
      area: name,
      summary: d.summary,
      method: d.method,
      path: d.path,
      origin,
      token: d.token ?? true,
      query: d.query as Query,
      body: d.body as Body,
      sends: d.sends ?? null,
      status: d.status ?? (answer.kind === 'none' ? 204 : 200),
      answer,
      stale: d.stale ?? [],
      built,
    }
  }
  return {
    built: <
      const Path extends string,
      Query extends z.ZodObject | undefined = undefined,
      Body extends z.ZodType | undefined = undefined,
      A extends Answer = { kind: 'none' },
    >(
      d: Declaration<Path, Query, Body, A>,
    ) => declare(true, d),
    planned: (d: Declaration<string, undefined, undefined, { kind: 'none' }>) => declare(false, d),
  }
}

/** An answer that is one JSON value. */
export const json = <S extends z.ZodType>(schema: S) => ({ kind: 'json', schema }) as const

/** An answer that is a page of a list: `{items, nextCursor}`. Items that do not fit are left out and told. */
export const list = <S extends z.ZodType>(item: S) => ({ kind: 'list', item }) as const

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
 * others' names of a member, where they can mean nothing else.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(
  members: T,
  words: { readonly [Member in T[number]]?: readonly string[] } = {},
) {
  const schema = z
    .union([z.enum(members), z.string().transform((raw): Unknown => ({ kind: 'unknown', raw }))])
    .meta({ type: 'string', examples: [...members] })
  otherWords.set(schema, words)
  return schema
}

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
  /** Whether no further page follows. False too where the service pages in a way that is not known. */
  complete: boolean
}

/** What an operation answers, parsed. */
export type OutputOf<Op> =
  Op extends Operation<string, z.ZodObject | undefined, z.ZodType | undefined, infer A>
    ? A extends { kind: 'json'; schema: infer S extends z.ZodType }
      ? z.output<S>
      : A extends { kind: 'list'; item: infer I extends z.ZodType }
        ? Page<z.output<I>>
        : A extends { kind: 'none' }
          ? undefined
          : ReadableStream<Uint8Array>
    : never
