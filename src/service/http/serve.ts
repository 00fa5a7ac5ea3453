import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type {
  BodyOf,
  Operation,
  ParamName,
  ParamsOf,
  QueryOf,
} from '../../contract/declarations/operation.ts'
import type { AccessGrant, ServerAccess } from '../base/access.ts'
import type { RequestLimiter } from './limits/request-limiter.ts'
import type { InFlight } from './in-flight.ts'
import { refusal } from '../../host/refusal.ts'

export interface Caller {
  accountId: string
  /** SHA-256 of the token, as stored. */
  tokenHash: string
}

export interface RequestEnv {
  Bindings: HttpBindings
  Variables: { requestId: string; log: Logger }
}
export type RequestContext = Context<RequestEnv>

export interface BaseInput<Op> {
  params: ParamsOf<Op>
  query: QueryOf<Op>
  body: BodyOf<Op>
  /** Throws in operations that need no token. */
  readonly caller: Caller
  address: string
  /** Uses up the second-factor code if the account has one. Throws 403, 422 and 429. */
  askSecondFactor: () => Promise<void>
  signal: AbortSignal
  c: RequestContext
}

export interface ServerInput extends AccessGrant {
  /**
   * Checks sign-in, server and scope again; call after awaiting and before anything that outlives the answer. Throws
   * 401, 403, 404, 409 `server.removing`.
   */
  checkAgain: () => void
  /** Names the targets of a write, if its declaration leaves that to the handler (`logged`); otherwise throws. */
  logTarget: (...names: string[]) => void
}

export interface EventsInput<Kind extends string> {
  /** Event kinds of a server that the caller may receive now. Throws 401, 404, and 403 if there are none. */
  kindsOf: (serverId: string) => ReadonlySet<Kind>
  mayRead: (serverId: string, readId: string) => boolean
  /** Throws 401 if the sign-in has ended: a stream outlives it. */
  checkSignIn: () => void
}

type HandlerInput<Op> = BaseInput<Op> &
  (Op extends { path: infer Path extends string }
    ? 'serverId' extends ParamName<Path>
      ? ServerInput
      : unknown
    : unknown) &
  (Op extends { answer: { kind: 'events'; needs: infer Needs } }
    ? EventsInput<keyof Needs & string>
    : unknown)

export type SubresourceInput = Pick<BaseInput<Operation>, 'caller' | 'c'> & ServerInput

export interface SubresourceHandler {
  answer: (given: SubresourceInput) => Promise<Response>
  options: Readonly<Record<string, string>>
}

/** A handler's result before serialization; a Response for streams, bytes and chunked lists. */
type HandlerResult<Op> = Op extends { answer: infer A }
  ? A extends { kind: 'json'; schema: infer S extends z.ZodType }
    ? z.input<S>
    : A extends { kind: 'list'; item: infer I extends z.ZodType }
      ? { items: z.input<I>[]; nextCursor: string | null } | Response
      : A extends { kind: 'none' }
        ? // Where it speaks to a browser, which goes on elsewhere.
          void | Response
        : Response
  : never

/** `ending`: game servers are being stopped, reads still work. `ended`: no state is available. */
export type Phase = 'running' | 'ending' | 'ended'

export type Handler = (given: BaseInput<Operation>) => unknown

export interface ServiceApp {
  handlers: Map<string, Handler>
  below: Map<string, SubresourceHandler>
  log: Logger
  gates: RequestLimiter
  phase(): Phase
  /** Whether a reverse proxy on this computer names the client address. */
  behindProxy?: boolean
  /** Null if the token is unknown or expired. */
  authenticate(token: string, from: { device: string; address: string }): Caller | null
  askSecondFactor(caller: Caller, code: string | undefined): Promise<void>
  access: ServerAccess
  inFlight: InFlight
  /** Called for each write to a server by someone with access to it. */
  wrote: (write: ServerWrite) => void
}

export interface ServerWrite {
  op: Operation
  serverId: string
  by: Caller
  address: string
  params: Readonly<Record<string, string>>
  query: unknown
  body: unknown
  answer: unknown
  told: readonly string[]
  /** Refusal code or `service.failed`; null on success. */
  refused: string | null
  /** True for requests below the operation, such as a piece of an upload. */
  below: boolean
}

/**
 * Registers an operation's handler. The declaration covers method, path, token, server, scope, parsing and status.
 * Handlers throw a `Refusal` to refuse, and set response headers with `c.header()`.
 */
export function serve<Op extends Operation>(
  app: Pick<ServiceApp, 'handlers'>,
  op: Op,
  handler: (given: HandlerInput<Op>) => HandlerResult<Op> | Promise<HandlerResult<Op>>,
): void {
  if (app.handlers.has(op.id)) throw new Error(`${op.id} has a handler already`)
  app.handlers.set(op.id, handler as Handler)
}

export function serveBelow(app: Pick<ServiceApp, 'below'>, op: Operation, served: SubresourceHandler): void {
  if (!op.below) throw new Error(`${op.id} declares nothing below itself`)
  app.below.set(op.id, served)
}

export const BEARER = { 'WWW-Authenticate': 'Bearer' }

export const signedOut = () => refusal(401, 'auth.token-invalid').with(BEARER)
