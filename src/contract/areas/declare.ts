import type { z } from 'zod'
import type {
  Answer,
  Area,
  Below,
  WordFields,
  Bridge,
  Keep,
  Method,
  Operation,
  Origin,
  Pages,
  ScopeRule,
} from './operation.ts'

interface Declaration<Path, Query, Body, A, Id, B> {
  id: Id
  summary: string
  path: Path
  /** One word where path, method and shape share it. */
  origin: Origin | { path: Origin; method: Origin; shape: Origin }
  /** What is asked before there is a token is the panel's own to ask. */
  token?: B extends 'pass' ? true : boolean
  query?: Query
  body?: Body
  status?: number
  answer?: A
  bridge?: B
  patience?: number
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
  below?: Below
}

/** What comes as bytes or events is no view. */
type Streamed<A> = A extends { kind: 'bytes' | 'events' } ? { bridge: 'own' } : unknown

/** An operation of a server does not compile without its scope. */
type Scoped<Path extends string, Body> = Path extends `${string}/:serverId${string}`
  ? { scope: ScopeRule<WordFields<Body>> }
  : { scope?: never }

type Schema = z.ZodObject | undefined
type BodySchema = z.ZodType | undefined
type NoAnswer = { kind: 'none' }

type AnyDeclaration = WriteDeclaration<string, Schema, BodySchema, Answer, string, string, Bridge> &
  ReadDeclaration<string, Schema, Answer, string, Bridge> & { scope?: ScopeRule; keep?: Keep }

function operationOf(
  area: Area,
  kind: 'read' | 'write',
  built: boolean,
  declared: AnyDeclaration,
): Operation {
  const { id, summary, path, origin, query, body, answer = { kind: 'none' } } = declared
  return {
    kind,
    id,
    area,
    summary,
    method: kind === 'read' ? 'GET' : declared.method,
    path,
    origin: typeof origin === 'string' ? { path: origin, method: origin, shape: origin } : origin,
    token: declared.token ?? true,
    scope: declared.scope ?? null,
    query,
    body,
    sends: declared.sends ?? null,
    carries: declared.carries ?? [],
    status: declared.status ?? (answer.kind === 'none' ? 204 : 200),
    answer,
    bridge: declared.bridge ?? (kind === 'read' ? 'pass' : 'own'),
    keep: declared.keep ?? 'memory',
    pages: declared.pages ?? null,
    tag: declared.tag ?? false,
    patience: declared.patience ?? null,
    ifMatch: declared.ifMatch ?? false,
    secondFactor: declared.secondFactor ?? false,
    puts: declared.puts ?? null,
    stale: declared.stale ?? [],
    below: declared.below ?? null,
    built,
  }
}

/**
 * The declaring functions of one area: `read` and `write` for operations that work, `planned.read` and `planned.write` for
 * those answered by 501. That `stale` and `puts` name reads is checked where all areas come together, in index.ts.
 */
export function area(name: Area) {
  const reads =
    <Kept extends { keep: Keep } | { keep?: 'never' }>(built: boolean) =>
    <
      const Path extends string,
      const Id extends string,
      Query extends Schema = undefined,
      A extends Answer = NoAnswer,
      B extends Bridge = 'pass',
    >(
      d: ReadDeclaration<Path, Query, A, Id, B> & Scoped<Path, undefined> & Streamed<A> & Kept,
    ) =>
      operationOf(name, 'read', built, d as unknown as AnyDeclaration) as unknown as Operation<
        Path,
        Query,
        undefined,
        A,
        Id,
        'read',
        never,
        B
      >
  const writes =
    (built: boolean) =>
    <
      const Path extends string,
      const Id extends string,
      Query extends Schema = undefined,
      Body extends BodySchema = undefined,
      A extends Answer = NoAnswer,
      const Stale extends string = never,
      B extends Bridge = 'own',
    >(
      d: WriteDeclaration<Path, Query, Body, A, Id, Stale, B> & Scoped<Path, Body> & Streamed<A>,
    ) =>
      operationOf(name, 'write', built, d as unknown as AnyDeclaration) as unknown as Operation<
        Path,
        Query,
        Body,
        A,
        Id,
        'write',
        Stale,
        B
      >
  return {
    read: reads<{ keep: Keep }>(true),
    write: writes(true),
    planned: { read: reads<{ keep?: 'never' }>(false), write: writes(false) },
  }
}
