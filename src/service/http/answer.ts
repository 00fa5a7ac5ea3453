import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { operations } from '../../contract/areas/index.ts'
import type { Answer, Operation } from '../../contract/declarations/operation.ts'
import { SECOND_FACTOR_HEADER } from '../../contract/areas/second-factor.ts'
import {
  answerAbout,
  type AccessRequest,
  type AccessGrant,
  isKnownAt,
  kindsFor,
  mayAsk,
  needsOf,
  requireAccess,
} from '../base/access.ts'
import { bodyBounds, readBody } from './body.ts'
import { vouchFor } from './limits/connections.ts'
import { clientAddress } from '../base/client-address.ts'
import { parse, strict } from './parse-input.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import {
  BEARER,
  type Caller,
  type BaseInput,
  type EventsInput,
  type ServerInput,
  type Handler,
  type Phase,
  type RequestContext,
  type SubresourceHandler,
  type ServerWrite,
  type ServiceApp,
  signedOut,
} from './serve.ts'

export async function answerOperation(
  app: ServiceApp,
  op: Operation,
  handler: Handler,
  c: RequestContext,
): Promise<Response> {
  refuseAtTheEnd(app.phase(), op)
  // Hono answers HEAD with GET minus the body: nobody would read the stream, so it would never end.
  if (op.answer.kind === 'events' && c.req.raw.method === 'HEAD') {
    throw refusal(405, 'route.wrong-method.stream').with({ Allow: 'GET' })
  }
  const caller = op.token ? requireCaller(app, c) : null
  if (caller) {
    countRequest(app, caller, c, op.answer.kind === 'events')
    app.gates.spend(caller.accountId, op)
  }
  const serverId = c.req.param('serverId')
  if (!caller || serverId === undefined)
    return (await answerAsked(app, op, handler, c, { caller, ask: null })).response
  const { accountId } = caller
  const changes = op.kind === 'write'
  const ask: AccessRequest = { accountId, serverId, needs: needsOf(op, undefined), changes, operation: op.id }
  if (!changes) return (await answerAsked(app, op, handler, c, { caller, ask })).response
  const write = writeOf(app, op, c, caller)
  try {
    const { response, goesOn } = await answerAsked(app, op, handler, c, { caller, ask, write })
    const done = () => app.wrote({ ...write, refused: null })
    if (goesOn) outgoingOf(c)?.once('close', done)
    else done()
    return response
  } catch (error) {
    // Requests by strangers don't belong in this server's log.
    if (isKnownAt(app.access, ask)) app.wrote({ ...write, refused: codeOf(error) })
    throw error
  }
}

type BegunWrite = Omit<ServerWrite, 'refused'> & { told: string[] }

function writeOf(app: ServiceApp, op: Operation, c: RequestContext, by: Caller): BegunWrite {
  const params = c.req.param()
  return {
    ...{ op, serverId: params['serverId'] ?? '', by, address: addressOf(app, c), params },
    ...{ query: undefined, body: undefined, answer: undefined, told: [], below: false },
  }
}

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : 'service.failed')

interface CallContext {
  caller: Caller | null
  ask: AccessRequest | null
  write?: BegunWrite
}

/** `goesOn`: the answer is still being produced while it is read. */
async function answerAsked(
  app: ServiceApp,
  op: Operation,
  handler: Handler,
  c: RequestContext,
  { caller, ask, write }: CallContext,
): Promise<{ response: Response; goesOn: boolean }> {
  // Check access before reading anything that was sent.
  if (ask) requireAccess(app.access, ask)
  const query = op.query ? parse(op.query, queryOf(c)) : undefined
  const body = op.body
    ? parse(strict(op.body), await readBody(c.req.raw, bodyBounds(app.gates.bounds, op.body)))
    : undefined
  if (ask) ask.needs = needsOf(op, body)
  if (write) Object.assign(write, { query, body })
  // Only once the body is complete, so slow senders don't occupy a place.
  const { signal } = c.req.raw
  const leave = caller ? await app.gates.enter(caller.accountId, op, signal) : () => {}
  const given: BaseInput<Operation> = {
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
    // The token may have expired while the body arrived or the request queued.
    if (caller && (body !== undefined || op.lane)) requireCaller(app, c)
    value = ask
      ? await answerAbout(app.access, ask, (found) => handler(withServer(app, given, { ask, found, write })))
      : await handler(withEvents(app, given, op.answer))
    if (write) write.answer = value
    goesOn = value instanceof Response && outgoingOf(c)?.destroyed === false
    if (goesOn) outgoingOf(c)?.once('close', leave)
  } finally {
    if (!goesOn) leave()
  }
  return { response: answered(op, value, c), goesOn }
}

const addressOf = (app: ServiceApp, c: RequestContext): string =>
  clientAddress(
    c.env.incoming?.socket.remoteAddress,
    c.req.header('x-forwarded-for'),
    app.behindProxy ?? false,
  )

function answered(op: Operation, value: unknown, c: RequestContext): Response {
  // Handlers may build their own Response where a protocol needs more than the declaration says.
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

const withServer = <G extends Pick<BaseInput<Operation>, 'c'>>(
  app: ServiceApp,
  given: G,
  { ask, found, write }: { ask: AccessRequest; found: AccessGrant; write: BegunWrite | undefined },
): G & ServerInput => {
  const checkAgain = () => {
    requireCaller(app, given.c)
    requireAccess(app.access, ask)
  }
  app.inFlight.begin(ask.serverId, { checkAgain, env: given.c.env })
  const logTarget = (...names: string[]) => {
    if (write?.op.logged?.by !== 'handler') throw new Error(`${write?.op.id} is not declared to tell this`)
    write.told.push(...names)
  }
  // Not spread: `caller` is a getter.
  return Object.assign(given, found, { checkAgain, logTarget })
}

const reads = new Map(operations.filter(({ kind }) => kind === 'read').map((op) => [op.id, op]))

function withEvents(app: ServiceApp, given: BaseInput<Operation>, answer: Answer): BaseInput<Operation> {
  if (answer.kind !== 'events') return given
  const events: EventsInput<string> = {
    // Check the token too: a stream outlives it.
    kindsOf: (serverId) =>
      kindsFor(app.access, requireCaller(app, given.c).accountId, serverId, answer.needs),
    mayRead(serverId, readId) {
      const op = reads.get(readId)
      return op !== undefined && mayAsk(app.access, given.caller.accountId, serverId, op)
    },
    checkSignIn: () => void requireCaller(app, given.c),
  }
  return Object.assign(given, events)
}

export async function answerBelow(
  app: ServiceApp,
  op: Operation,
  { answer }: SubresourceHandler,
  c: RequestContext,
): Promise<Response> {
  const reads = c.req.raw.method === 'HEAD'
  refuseAtTheEnd(app.phase(), { method: reads ? 'GET' : c.req.raw.method })
  const caller = requireCaller(app, c)
  countRequest(app, caller, c, false)
  const { accountId } = caller
  const serverId = c.req.param('serverId') ?? ''
  const ask: AccessRequest = {
    accountId,
    serverId,
    needs: needsOf(op, undefined),
    changes: !reads,
    operation: op.id,
  }
  const write = { ...writeOf(app, op, c, caller), below: true }
  try {
    const response = await answerAbout(app.access, ask, (found) =>
      answer(withServer(app, { caller, c }, { ask, found, write })),
    )
    if (!reads) app.wrote({ ...write, refused: null })
    return response
  } catch (error) {
    // Other refusals of a step belong to the protocol, and the client retries them.
    const isForbidden = error instanceof Refusal && error.status === 403
    if (!reads && isForbidden && isKnownAt(app.access, ask)) app.wrote({ ...write, refused: error.code })
    throw error
  }
}

const outgoingOf = (c: RequestContext) => (c.env as Partial<HttpBindings>).outgoing

function countRequest(app: ServiceApp, { accountId }: Caller, c: RequestContext, isStream: boolean): void {
  const end = app.gates.begin(accountId, isStream)
  const outgoing = outgoingOf(c)
  if (!outgoing || outgoing.destroyed) end()
  else outgoing.once('close', end)
}

/** Request id that people can quote: 12 characters. */
export const newRequestId = (): string => randomBytes(9).toString('base64url')

function refuseAtTheEnd(phase: Phase, op: { method: string }): void {
  if (phase === 'running' || (phase === 'ending' && op.method === 'GET')) return
  throw refusal(503, 'service.stopping').with({ 'Retry-After': '30' })
}

function requireCaller(app: ServiceApp, c: RequestContext): Caller {
  const authorization = c.req.header('authorization') ?? ''
  const token = /^Bearer +([\w~+/.=-]+)$/i.exec(authorization)?.[1]
  if (!token) {
    throw refusal(401, 'auth.token-missing').with(BEARER)
  }
  const from = { device: c.req.header('user-agent') ?? '', address: addressOf(app, c) }
  const caller = app.authenticate(token, from)
  if (!caller) throw signedOut()
  const { incoming } = c.env as Partial<HttpBindings>
  if (incoming) vouchFor(incoming.socket, authorization, caller.accountId)
  return caller
}

function queryOf(c: RequestContext): Record<string, string> {
  // No prototype: names come from outside, and `__proto__` may be one.
  const query = Object.create(null) as Record<string, string>
  for (const [name, value] of new URL(c.req.url).searchParams) query[name] ??= value
  return query
}
