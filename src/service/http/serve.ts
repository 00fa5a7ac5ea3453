import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Answer, Operation, ParamName } from '../../contract/declarations/operation.ts'
import type { Found, ServerAccess } from '../base/access.ts'
import type { RequestLimiter } from './limits/request-limiter.ts'
import type { InFlight } from './in-flight.ts'
import { refusal } from '../base/refusal.ts'

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
export interface GivenAlways<Op> {
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
  /** Says what a write was about, where its declaration leaves that to its handler (`logged`). Otherwise it throws. */
  about: (...names: string[]) => void
}

/** What a handler of a stream of events is given. */
export interface GivenEvents<Kind extends string> {
  /**
   * The kinds of events of a server that the caller may be told, by what the caller holds now. Throws 401, 404, and 403
   * where there is none.
   */
  kindsOf: (serverId: string) => ReadonlySet<Kind>
  /** Whether the caller may ask this read of a server now. */
  mayRead: (serverId: string, readId: string) => boolean
  /** Throws 401 where the sign-in has ended: a stream outlives it. */
  checkSignIn: () => void
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
        ? // Where it speaks to a browser, which goes on elsewhere.
          void | Response
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
  gates: RequestLimiter
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
  /** Who sends to servers, and is being sent what they hold. */
  inFlight: InFlight
  /** Told of each write of a server that somebody who may ask it has asked. */
  wrote: (write: ServerWrite) => void
}

/** A write of one server that was answered. */
export interface ServerWrite {
  op: Operation
  serverId: string
  by: Caller
  /** Network address of who asked. */
  address: string
  params: Readonly<Record<string, string>>
  /** As they were parsed; undefined where they were not. */
  query: unknown
  body: unknown
  /** What its handler answered; undefined where it was refused. */
  answer: unknown
  /** What its handler said it was about. */
  told: readonly string[]
  /** Why it was refused, or `service.failed`; null where it was done. */
  refused: string | null
  /** Whether it was one below the operation, such as a piece of an upload. */
  below: boolean
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
  app.handlers.set(op.id, handler as Handler)
}

/** Serves what an operation declares `below` itself. */
export function serveBelow(app: Pick<ServiceApp, 'below'>, op: Operation, served: ServedBelow): void {
  if (!op.below) throw new Error(`${op.id} declares nothing below itself`)
  app.below.set(op.id, served)
}

/** What a refusal says to whoever has no token that is good. */
export const BEARER = { 'WWW-Authenticate': 'Bearer' }

/** What is said to a token that is unknown, expired or revoked. */
export const signedOut = () => refusal(401, 'auth.token-invalid').with(BEARER)
