import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { type z, ZodArray, ZodObject, ZodOptional } from 'zod'
import type { Answer, Operation, ParamName } from '../contract/areas/operation.ts'
import { SECOND_FACTOR_HEADER } from '../contract/areas/second-factor.ts'
import {
  answerAbout,
  type Ask,
  type Found,
  kindsFor,
  needsOf,
  requireAccess,
  type ServerAccess,
} from './access.ts'
import { type BodyBounds, readBody } from './body.ts'
import { LANES } from './bounds/bounds.ts'
import { vouchFor } from './bounds/connections.ts'
import type { Gates } from './bounds/gates.ts'
import { clientAddress } from './client-address.ts'
import { parse, strict } from './parse-input.ts'
import { Refusal } from './refusal.ts'

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

/** What every handler is given: all of it parsed by the operation's schemas. */
interface GivenAlways<Op> {
  params: ParamsOf<Op>
  query: QueryOf<Op>
  body: BodyOf<Op>
  /** Who asks. Reading it in an operation that needs no token is a mistake in the program, and throws. */
  readonly caller: Caller
  /** Network address of who asks: the other side of the socket, or whom a reverse proxy names. */
  address: string
  /** Uses up the code of the second factor, where the account has one. Throws 403, 422 and 429. */
  askSecondFactor: () => Promise<void>
  /** Aborted when the other side goes away. */
  signal: AbortSignal
  c: RequestContext
}

/** What a handler of an operation of a server is given of it: it was found, and what is needed there is held. */
export interface GivenServer extends Found {
  /**
   * Checks it again, after something was waited for and right before something is done that outlives the answer or was
   * sent slowly: the sign-in, the server, the scope. Throws 401, 403, 404, 409 `server.removing`.
   */
  checkAgain: () => void
}

/** What a handler of a stream of events is given. */
export interface GivenEvents<Kind extends string> {
  /**
   * The kinds of events of a server that the caller may be told, by what the caller holds now. Throws 401, 404, and 403
   * where there is none.
   */
  kindsOf: (serverId: string) => ReadonlySet<Kind>
}

/** What a handler is given. */
export type Given<Op> = GivenAlways<Op> &
  (Op extends { path: infer Path extends string }
    ? 'serverId' extends ParamName<Path>
      ? GivenServer
      : unknown
    : unknown) &
  (Op extends { answer: { kind: 'events'; needs: infer Needs } }
    ? GivenEvents<keyof Needs & string>
    : unknown)

/** What the handler of requests below an operation is given. */
export type GivenBelow = Pick<GivenAlways<Operation>, 'caller' | 'c'> & GivenServer

/** Requests below an operation, as they are served. */
export interface ServedBelow {
  answer: (given: GivenBelow) => Promise<Response>
  /** Headers that tell anybody what can be done here: the answer to OPTIONS. */
  options: Readonly<Record<string, string>>
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

export type Handler = (given: GivenAlways<Operation>) => unknown

/** The part of the service that route files see. */
export interface ServiceApp {
  /** Operation id → handler. Filled by `serve`, mounted by `createHono` in an order where none hides another. */
  handlers: Map<string, Handler>
  /** Operation id → how what is declared below it is served. */
  below: Map<string, ServedBelow>
  log: Logger
  /** Bounds what each account can make the service do. */
  gates: Gates
  /** How far the service is in its life. */
  phase(): Phase
  /** Whether a reverse proxy on this computer says whom it asks for. */
  behindProxy?: boolean
  /** The account of a token; null where the token is unknown or expired. */
  authenticate(token: string, from: { device: string; address: string }): Caller | null
  /** Asks for the code of the second factor, where the account has one, and uses it up. */
  askSecondFactor(caller: Caller, code: string | undefined): Promise<void>
  /** Which servers there are, and who may do what at them. */
  access: ServerAccess
}

/**
 * Gives an operation its handler. Method, path, token, server, scope, parsing and the answer's status come from the
 * declaration. A handler refuses by throwing a `Refusal`; headers of a good answer are set with `c.header()`.
 */
export function serve<Op extends Operation>(
  app: Pick<ServiceApp, 'handlers'>,
  op: Op,
  handler: (given: Given<Op>) => Answered<Op> | Promise<Answered<Op>>,
): void {
  if (app.handlers.has(op.id)) throw new Error(`${op.id} has a handler already`)
  if (!op.built) throw new Error(`${op.id} is not declared as built`)
  app.handlers.set(op.id, handler as Handler)
}

/** Serves what an operation declares `below` itself. */
export function serveBelow(app: Pick<ServiceApp, 'below'>, op: Operation, served: ServedBelow): void {
  if (!op.below) throw new Error(`${op.id} declares nothing below itself`)
  app.below.set(op.id, served)
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
  const serverId = c.req.param('serverId')
  const ask: Ask | null =
    caller && serverId !== undefined
      ? {
          accountId: caller.accountId,
          serverId,
          needs: needsOf(op, undefined),
          changes: op.kind === 'write',
        }
      : null
  // Who may not ask this is told so before anything is read of what was sent.
  if (ask) requireAccess(app.access, ask)
  const query = op.query ? parse(op.query, queryOf(c)) : undefined
  const body = op.body
    ? parse(strict(op.body), await readBody(c.req.raw, bodyBounds(app, op.body)))
    : undefined
  if (ask) ask.needs = needsOf(op, body)
  // Only when all of it is here: who sends slowly takes nobody's place.
  const leave = caller ? await app.gates.enter(caller.accountId, op.id, signal) : () => {}
  const given: GivenAlways<Operation> = {
    params: c.req.param(),
    query: query as never,
    body: body as never,
    get caller() {
      if (!caller) throw new Error(`${op.id} needs no token, so nobody is known to call it`)
      return caller
    },
    address: addressOf(app, c),
    askSecondFactor() {
      if (!op.secondFactor) throw new Error(`${op.id} is not declared to ask for a second factor`)
      return app.askSecondFactor(this.caller, c.req.header(SECOND_FACTOR_HEADER))
    },
    signal,
    c,
  }
  let value: unknown
  let goesOn = false
  try {
    // A body may take its time, and so may the turn: what the token was good for when it began may be over.
    if (caller && (body !== undefined || LANES[op.id])) requireCaller(app, c)
    value = ask
      ? await answerAbout(app.access, ask, (found) => handler(withServer(app, given, ask, found)))
      : await handler(withEvents(app, given, op.answer))
    // An answer in pieces is still being made while it is read.
    goesOn = value instanceof Response && outgoingOf(c)?.destroyed === false
    if (goesOn) outgoingOf(c)?.once('close', leave)
  } finally {
    if (!goesOn) leave()
  }
  return answered(op, value, c)
}

/** Writes down what a handler answered. */
function answered(op: Operation, value: unknown, c: RequestContext): Response {
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
      throw new Error(`${op.id} has to answer with a Response`)
  }
}

const withServer = <G extends Pick<GivenAlways<Operation>, 'c'>>(
  app: ServiceApp,
  given: G,
  ask: Ask,
  found: Found,
): G & GivenServer =>
  // Not spread: `caller` is a getter.
  Object.assign(given, found, {
    checkAgain() {
      requireCaller(app, given.c)
      requireAccess(app.access, ask)
    },
  })

function withEvents(app: ServiceApp, given: GivenAlways<Operation>, answer: Answer): GivenAlways<Operation> {
  if (answer.kind !== 'events') return given
  const events: GivenEvents<string> = {
    // The token too: a stream outlives it.
    kindsOf: (serverId) =>
      kindsFor(app.access, requireCaller(app, given.c).accountId, serverId, answer.needs),
  }
  return Object.assign(given, events)
}

/** Answers one request below an operation of a server: with its token, its server and its scope. */
export async function answerBelow(
  app: ServiceApp,
  op: Operation,
  { answer }: ServedBelow,
  c: RequestContext,
): Promise<Response> {
  const reads = c.req.raw.method === 'HEAD'
  refuseAtTheEnd(app.phase(), { method: reads ? 'GET' : c.req.raw.method })
  const caller = requireCaller(app, c)
  countRequest(app, caller, c, false)
  const { accountId } = caller
  const serverId = c.req.param('serverId') ?? ''
  const ask: Ask = { accountId, serverId, needs: needsOf(op, undefined), changes: !reads }
  return answerAbout(app.access, ask, (found) => answer(withServer(app, { caller, c }, ask, found)))
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
  const from = { device: c.req.header('user-agent') ?? '', address: addressOf(app, c) }
  const caller = app.authenticate(token, from)
  if (!caller) throw signedOut()
  const { incoming } = c.env as Partial<HttpBindings>
  if (incoming) vouchFor(incoming.socket, authorization, caller.accountId)
  return caller
}

const addressOf = ({ behindProxy = false }: ServiceApp, { env, req }: RequestContext): string =>
  clientAddress(env.incoming?.socket.remoteAddress, req.header('x-forwarded-for'), behindProxy)

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
