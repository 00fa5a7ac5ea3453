import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { type z, ZodArray, ZodObject, ZodOptional } from 'zod'
import type { Answer, Operation, ParamName } from '../contract/areas/operation.ts'
import { type BodyBounds, readBody } from './body.ts'
import { BOUNDS, LANES } from './bounds/bounds.ts'
import { vouchFor } from './bounds/connections.ts'
import type { Gates } from './bounds/gates.ts'
import { clientAddress } from './client-address.ts'
import { Refusal } from './refusal.ts'
import type { ServerRow } from './store/servers.ts'

/** Who asks: the account of the token that was sent. */
export interface Caller {
  accountId: string
  /** SHA-256 of the token, as the store names it. */
  tokenHash: string
}

/** What Hono carries for one request. */
export interface RequestEnv {
  Bindings: HttpBindings
  Variables: { requestId: string; log: Logger }
}
export type RequestContext = Context<RequestEnv>

type ParamsOf<Op> =
  Op extends Operation<infer Path, z.ZodObject | undefined, z.ZodType | undefined, Answer>
    ? Record<ParamName<Path>, string>
    : never
type QueryOf<Op> = Op extends { query: infer Q extends z.ZodObject } ? z.output<Q> : undefined
type BodyOf<Op> = Op extends { body: infer B extends z.ZodType } ? z.output<B> : undefined

/** What a handler is given: all of it parsed by the operation's schemas. */
export interface Given<Op> {
  params: ParamsOf<Op>
  query: QueryOf<Op>
  body: BodyOf<Op>
  /** Who asks. Reading it in an operation that needs no token is a mistake in the program, and throws. */
  readonly caller: Caller
  /** Network address of who asks: the other side of the socket, or whom a reverse proxy names. */
  address: string
  /** Aborted when the other side goes away. */
  signal: AbortSignal
  c: RequestContext
}

/** What a handler answers: the value before it is written down; a Response for streams, bytes and lists in pieces. */
export type Answered<Op> = Op extends { answer: infer A }
  ? A extends { kind: 'json'; schema: infer S extends z.ZodType }
    ? z.input<S>
    : A extends { kind: 'list'; item: infer I extends z.ZodType }
      ? { items: z.input<I>[]; nextCursor: string | null } | Response
      : A extends { kind: 'none' }
        ? void
        : Response
  : never

/** `ending`: game servers are being stopped, reading goes on. `ended`: nothing is known any more. */
export type Phase = 'running' | 'ending' | 'ended'

export type Handler = (given: Given<Operation>) => unknown

/** The part of the service that route files see. */
export interface ServiceApp {
  /** Operation id → handler. Filled by `serve`, mounted by `createHono` in an order where none hides another. */
  handlers: Map<string, Handler>
  /** Routes that are no operations of the contract, such as those of a protocol below one. Mounted before these. */
  extras?: ((hono: Hono<RequestEnv>) => void)[]
  log: Logger
  /** Bounds what each account can make the service do. */
  gates: Gates
  /** How far the service is in its life. */
  phase(): Phase
  /** Whether a reverse proxy on this computer says whom it asks for. */
  behindProxy?: boolean
  /** The account of a token; null where the token is unknown or expired. */
  authenticate(token: string): Caller | null
  /** The server, if the caller may see it. Throws a Refusal 404 `server.not-found` otherwise. */
  requireServer(caller: Caller, serverId: string): ServerRow
  /** Whether a server is being deleted. */
  isGoing(serverId: string): boolean
}

/** The server, if the caller may see it and it is not about to go. Throws as `requireServer`, and 409 `server.removing`. */
export function requireStaying(app: ServiceApp, caller: Caller, serverId: string): ServerRow {
  const row = app.requireServer(caller, serverId)
  if (app.isGoing(serverId))
    throw new Refusal(409, 'server.removing', 'This server is being deleted, so it can no longer be changed.')
  return row
}

/**
 * Answers what is asked of one server. Where that is gone by the end of a read, or where something failed because it
 * went, its absence is the answer: what was gathered is half of what it held, and no error of its folder says so.
 */
export async function answerOf<T>(
  app: ServiceApp,
  caller: Caller,
  { method, serverId }: { method: string; serverId: string },
  act: () => T | Promise<T>,
): Promise<T> {
  const reads = method === 'GET' || method === 'HEAD'
  const row = reads ? app.requireServer(caller, serverId) : requireStaying(app, caller, serverId)
  let value: T
  try {
    value = await act()
  } catch (error) {
    app.requireServer(caller, row.id)
    throw error
  }
  try {
    if (reads) app.requireServer(caller, row.id)
    return value
  } catch (error) {
    // What is not handed on has to let go of what it reads.
    if (value instanceof Response) await value.body?.cancel()
    throw error
  }
}

/**
 * Gives an operation its handler. Method, path, token check, parsing and the answer's status come from the declaration.
 * A handler refuses by throwing a `Refusal`; headers of a good answer are set with `c.header()`.
 */
export function serve<Op extends Operation>(
  app: Pick<ServiceApp, 'handlers'>,
  op: Op,
  handler: (given: Given<Op>) => Answered<Op> | Promise<Answered<Op>>,
): void {
  if (app.handlers.has(op.id)) throw new Error(`${op.id} has a handler already`)
  if (!op.built) throw new Error(`${op.id} is not declared as built`)
  app.handlers.set(op.id, handler)
}

/** Answers one request to a built operation. */
export async function answerOperation(
  app: ServiceApp,
  op: Operation,
  handler: Handler,
  c: RequestContext,
): Promise<Response> {
  refuseAtTheEnd(app.phase(), op)
  // Hono answers HEAD by GET without its body: of a stream nobody would read, and so nobody would end it.
  if (op.answer.kind === 'events' && c.req.raw.method === 'HEAD') {
    throw new Refusal(405, 'route.wrong-method', 'A stream must be read with GET.', {
      headers: { Allow: 'GET' },
    })
  }
  const caller = op.token ? requireCaller(app, c) : null
  const { signal } = c.req.raw
  if (caller) {
    countRequest(app, caller, c, op.answer.kind === 'events')
    app.gates.spend(caller.accountId, op.id)
  }
  const query = op.query ? parse(op.query, queryOf(c)) : undefined
  const body = op.body
    ? parse(strict(op.body), await readBody(c.req.raw, bodyBounds(app, op.body)))
    : undefined
  // Only when all of it is here: who sends slowly takes nobody's place.
  const leave = caller ? await app.gates.enter(caller.accountId, op.id, signal) : () => {}
  const given: Given<Operation> = {
    params: c.req.param(),
    query: query as never,
    body: body as never,
    get caller() {
      if (!caller) throw new Error(`${op.id} needs no token, so nobody is known to call it`)
      return caller
    },
    address: clientAddress(
      c.env.incoming?.socket.remoteAddress,
      c.req.header('x-forwarded-for'),
      app.behindProxy ?? false,
    ),
    signal,
    c,
  }
  const serverId = c.req.param('serverId')
  let value: unknown
  let goesOn = false
  try {
    // A body may take its time, and so may the turn: what the token was good for when it began may be over.
    if (caller && (body !== undefined || LANES[op.id])) requireCaller(app, c)
    value =
      caller && serverId !== undefined
        ? await answerOf(app, caller, { method: op.method, serverId }, () => handler(given))
        : await handler(given)
    // An answer in pieces is still being made while it is read.
    goesOn = value instanceof Response && outgoingOf(c)?.destroyed === false
    if (goesOn) outgoingOf(c)?.once('close', leave)
  } finally {
    if (!goesOn) leave()
  }
  // A handler may speak for itself, where a protocol has more to say than the declaration.
  if (value instanceof Response) return value
  switch (op.answer.kind) {
    case 'none':
      return c.body(null, op.status as never)
    case 'json':
    case 'list':
      return c.json(value, op.status as ContentfulStatusCode)
    case 'events':
    case 'bytes':
      return value as Response
  }
}

/** The caller of a request that is no operation of the contract. Refuses with 401, and 503 at the end. */
export function authorise(app: ServiceApp, c: RequestContext): Caller {
  refuseAtTheEnd(app.phase(), { method: c.req.raw.method === 'HEAD' ? 'GET' : c.req.raw.method })
  const caller = requireCaller(app, c)
  countRequest(app, caller, c, false)
  return caller
}

/** The answer on the wire; undefined where there is no listener, as in a test. */
const outgoingOf = (c: RequestContext) => (c.env as Partial<HttpBindings>).outgoing

/** Counts a request to its account until the answer is over. */
function countRequest(app: ServiceApp, { accountId }: Caller, c: RequestContext, isStream: boolean): void {
  const end = app.gates.begin(accountId, isStream)
  const outgoing = outgoingOf(c)
  if (!outgoing || outgoing.destroyed) end()
  else outgoing.once('close', end)
}

/** What a JSON body may be at most. Where the declaration takes a list it may be long. */
function bodyBounds({ gates: { bounds } }: ServiceApp, body: z.ZodType): BodyBounds {
  const takesList =
    body instanceof ZodObject &&
    Object.values(body.shape).some((field) => {
      const inner: unknown = field instanceof ZodOptional ? field.unwrap() : field
      return inner instanceof ZodArray
    })
  return { ...bounds, bytes: takesList ? bounds.listBytes : bounds.bodyBytes }
}

/** An id for one request, for people to quote: 12 characters. */
export const newRequestId = (): string => randomBytes(9).toString('base64url')

function refuseAtTheEnd(phase: Phase, op: { method: string }): void {
  if (phase === 'running' || (phase === 'ending' && op.method === 'GET')) return
  const message = 'The service is shutting down. Try again when it is running again.'
  throw new Refusal(503, 'service.stopping', message, { headers: { 'Retry-After': '30' } })
}

function requireCaller(app: ServiceApp, c: RequestContext): Caller {
  const authorization = c.req.header('authorization') ?? ''
  const token = /^Bearer +([\w~+/.=-]+)$/i.exec(authorization)?.[1]
  if (!token) {
    throw new Refusal(401, 'auth.token-missing', 'Sign in first: this needs an account.', {
      headers,
    })
  }
  const caller = app.authenticate(token)
  if (!caller) throw signedOut()
  const { incoming } = c.env as Partial<HttpBindings>
  if (incoming) vouchFor(incoming.socket, authorization, caller.accountId)
  return caller
}

const headers = { 'WWW-Authenticate': 'Bearer' }

/** What is said to a token that is unknown, expired or revoked. */
export const signedOut = () =>
  new Refusal(401, 'auth.token-invalid', 'This sign-in is no longer valid. Sign in again.', { headers })

function queryOf(c: RequestContext): Record<string, string> {
  // Without a prototype: names come from outside, and `__proto__` is one like any other.
  const query = Object.create(null) as Record<string, string>
  for (const [name, value] of new URL(c.req.url).searchParams) query[name] ??= value
  return query
}

/**
 * A body that holds a field this service does not know is refused, not half obeyed: who sends `{port}` with a change of
 * configuration would otherwise read a success that changed nothing.
 */
function strict(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof ZodObject)) return schema
  let made = stricter.get(schema)
  if (!made) stricter.set(schema, (made = schema.strict()))
  return made
}
const stricter = new WeakMap<z.ZodType, z.ZodType>()

/** So much of a field's name, and of what is wrong with it, is said: both may repeat what came. In characters. */
const FIELD_SHOWN = 200
const ISSUE_SHOWN = 1000

/** Parses what came from outside; what does not fit is refused with 422 and the fields it is about. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields = Object.create(null) as Record<string, string[]>
  for (const issue of parsed.error.issues.slice(0, BOUNDS.fieldsNamed)) {
    const names =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, BOUNDS.fieldsNamed).map((key) => [...issue.path, key].join('.'))
        : [issue.path.join('.')]
    for (const name of names)
      (fields[name.slice(0, FIELD_SHOWN)] ??= []).push(issue.message.slice(0, ISSUE_SHOWN))
  }
  const first =
    parsed.error.issues[0]?.message.slice(0, ISSUE_SHOWN) ?? 'The request contains something invalid.'
  throw new Refusal(422, 'request.invalid', first, { fields })
}
