import type { z } from 'zod'
import type {
  Answer,
  Area,
  Subresource,
  WordFields,
  Bridge,
  CacheLifetime,
  Lane,
  LogTarget,
  Method,
  Operation,
  Origin,
  Pages,
  ParamName,
  Rate,
  ScopeRule,
} from './operation.ts'

interface Declaration<Path, Query, Body, A, Id, B> {
  id: Id
  summary: string
  path: Path
  /** A single value if path, method and shape share it. */
  origin: Origin | { path: Origin; method: Origin; shape: Origin }
  /** Operations without a token are never passed through the bridge. */
  token?: B extends 'pass' ? true : boolean
  query?: Query
  body?: Body
  status?: number
  answer?: A
  bridge?: B
  patience?: number
  rate?: Rate
  lane?: Lane
}

interface ReadDeclaration<Path, Query, A, Id, B> extends Declaration<Path, Query, undefined, A, Id, B> {
  pages?: Pages
  tag?: true
}

interface WriteDeclaration<Path, Query, Body, A, Id, Stale, B> extends Declaration<
  Path,
  Query,
  Body,
  A,
  Id,
  B
> {
  method: Exclude<Method, 'GET'>
  sends?: B extends 'pass' ? never : 'bytes'
  carries?: readonly string[]
  ifMatch?: true
  secondFactor?: B extends 'pass' ? never : true
  puts?: Stale
  stale?: readonly Stale[]
  logged?: LogTargetOf<Path, Query, Body>
  below?: Subresource
}

type FieldOf<Schema> = Schema extends z.ZodType ? keyof z.output<Schema> & string : never
type LogTargetOf<Path, Query, Body> = LogTarget<ParamName<Path & string>, FieldOf<Query>, FieldOf<Body>>

/** Bytes and events can't be views. */
type StreamRestriction<A> = A extends { kind: 'bytes' | 'events' } ? { bridge: 'own' } : unknown

/** Server operations must declare a scope to compile. */
type ScopeRequirement<Path extends string, Body> = Path extends `${string}/:serverId${string}`
  ? { scope: ScopeRule<WordFields<Body>> }
  : { scope?: never }

/** Made stale by every write to a server. */
const LOG = 'activity.list'

type Schema = z.ZodObject | undefined
type BodySchema = z.ZodType | undefined
const NONE = { kind: 'none' } as const
type EmptyAnswer = typeof NONE

interface EndpointDeclaration<Path, Query, Body, A, Id, Stale, B> extends Declaration<
  Path,
  Query,
  Body,
  A,
  Id,
  B
> {
  scope?: ScopeRule
  stale?: readonly Stale[]
  puts?: Stale
}
type SharedFields = Pick<
  Operation,
  'method' | 'sends' | 'carries' | 'keep' | 'pages' | 'tag' | 'ifMatch' | 'secondFactor' | 'logged' | 'below'
>
const OF_READS = { sends: null, carries: [], ifMatch: false, secondFactor: false, logged: null, below: null }
const OF_WRITES = { keep: 'memory', pages: null, tag: false } as const

interface Heading<Kind> {
  area: Area
  kind: Kind
}

function operationOf<
  Path extends string,
  Query extends Schema,
  Body extends BodySchema,
  A extends Answer,
  Id extends string,
  Kind extends 'read' | 'write',
  Stale extends string,
  B extends Bridge,
>(
  { area, kind }: Heading<Kind>,
  declared: EndpointDeclaration<Path, Query, Body, A, Id, Stale, B>,
  alike: SharedFields,
): Operation<Path, Query, Body, A, Id, Kind, Stale, B> {
  const { id, summary, path, origin, token, scope, stale = [], puts = null } = declared
  const { patience = null, rate = null, lane = null } = declared
  const { query, body, answer = NONE, bridge = kind === 'read' ? 'pass' : 'own' } = declared
  const isLogged = kind === 'write' && path.includes('/:serverId')
  return {
    kind,
    id,
    area,
    summary,
    path,
    origin: typeof origin === 'string' ? { path: origin, method: origin, shape: origin } : origin,
    token: token ?? true,
    scope: scope ?? null,
    // Absent parts have the type that represents absence.
    query: query as Query,
    body: body as Body,
    answer: answer as A,
    bridge: bridge as B,
    status: declared.status ?? (answer.kind === 'none' ? 204 : 200),
    patience,
    rate,
    lane,
    puts,
    // The log is a read, which any write may name.
    stale: [...stale, ...(isLogged ? [LOG as Stale] : [])],
    ...alike,
  }
}

/** Declares one area's operations. index.ts checks that `stale` and `puts` name reads. */
export function area(name: Area) {
  const read = <
    const Path extends string,
    const Id extends string,
    Query extends Schema = undefined,
    A extends Answer = EmptyAnswer,
    B extends Bridge = 'pass',
  >(
    d: ReadDeclaration<Path, Query, A, Id, B> &
      ScopeRequirement<Path, undefined> &
      StreamRestriction<A> & { keep: CacheLifetime },
  ) =>
    operationOf<Path, Query, undefined, A, Id, 'read', never, B>({ area: name, kind: 'read' }, d, {
      ...OF_READS,
      method: 'GET',
      keep: d.keep,
      pages: d.pages ?? null,
      tag: d.tag ?? false,
    })
  const write = <
    const Path extends string,
    const Id extends string,
    Query extends Schema = undefined,
    Body extends BodySchema = undefined,
    A extends Answer = EmptyAnswer,
    const Stale extends string = never,
    B extends Bridge = 'own',
  >(
    d: WriteDeclaration<Path, Query, Body, A, Id, Stale, B> &
      ScopeRequirement<Path, Body> &
      StreamRestriction<A>,
  ) =>
    operationOf<Path, Query, Body, A, Id, 'write', Stale, B>({ area: name, kind: 'write' }, d, {
      ...OF_WRITES,
      method: d.method,
      sends: d.sends ?? null,
      carries: d.carries ?? [],
      ifMatch: d.ifMatch ?? false,
      secondFactor: d.secondFactor ?? false,
      logged: d.logged ?? null,
      below: d.below ?? null,
    })
  return { read, write }
}
