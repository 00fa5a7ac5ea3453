import type { HttpBindings } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorBody } from '../../contract/declarations/errors.ts'
import { isBusy, isFault } from '../../host/app-database.ts'
import { answerBelow, answerOperation, newRequestId } from './answer.ts'
import { BASE_PATH, servedOperations } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import { diskFullRefusal } from '../base/computer-limits.ts'
import { openApiDocument } from './openapi.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import type { RequestContext, RequestEnv, ServiceApp } from './serve.ts'

/** Characters logged. Our longest path contains two ids. */
const PATH_SHOWN = 160
const METHOD_SHOWN = 10

const EVERYWHERE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/**
 * Mounts every operation that is served; one without a handler throws. Fixed paths come before parameters, so
 * `/servers/events` is not a server called "events".
 */
export function createHono(app: ServiceApp): OpenAPIHono<RequestEnv> {
  const hono = new OpenAPIHono<RequestEnv>()

  hono.use(async (c, next) => {
    const requestId = newRequestId()
    const startedAt = performance.now()
    c.set('requestId', requestId)
    c.set('log', app.log.child({ requestId }))
    const headers = { ...EVERYWHERE, 'X-Request-Id': requestId }
    const { outgoing } = c.env as Partial<HttpBindings>
    // Setting headers on a finished Response would rebuild it, which takes longer than most answers.
    for (const [name, value] of Object.entries(headers)) outgoing?.setHeader(name, value)
    await next()
    if (!outgoing) for (const [name, value] of Object.entries(headers)) c.header(name, value)
    const ms = Math.round(performance.now() - startedAt)
    // Without the query: it contains `confirm=` and cursors. Cut, because strangers choose their own paths.
    const path = c.req.path.slice(0, PATH_SHOWN)
    c.get('log').info(
      { method: c.req.method.slice(0, METHOD_SHOWN), path, status: c.res.status, ms },
      'answered',
    )
  })

  // Cached: anybody may request it.
  let document: Promise<string> | null = null
  hono.get(`${BASE_PATH}/openapi.json`, async (c) => {
    document ??= openApiDocument(servedOperations).then((whole) => JSON.stringify(whole))
    return c.body(await document, 200, { 'Content-Type': 'application/json' })
  })

  const byPath = Map.groupBy(servedOperations, (op) => op.path)
  for (const [path, ops] of [...byPath].sort(([a], [b]) => compareSpecificity(a, b))) {
    for (const op of ops) mount(hono, app, op)
    for (const op of ops) mountBelow(hono, app, op)
    refuseOthers(
      hono,
      path,
      ops.flatMap((op) => (op.method === 'GET' ? ['GET', 'HEAD'] : [op.method])),
    )
  }

  hono.notFound((c) => {
    return refuse(
      c,
      c.req.path.startsWith(`${BASE_PATH}/`)
        ? refusal(404, 'route.not-found')
        : refusal(404, 'route.not-found.base', { base: BASE_PATH }),
    )
  })
  hono.onError((error, c) => {
    if (error instanceof Refusal) return refuse(c, error)
    c.get('log').error({ err: error }, 'failed')
    const full = diskFullRefusal(error)
    if (full) return refuse(c, full)
    if (isBusy(error)) return refuse(c, refusal(503, 'service.data-busy'))
    if (isFault(error)) return refuse(c, refusal(500, 'service.data-damaged'))
    return refuse(c, refusal(500, 'service.failed.request', { request: c.get('requestId') }))
  })
  return hono
}

function mount(hono: OpenAPIHono<RequestEnv>, app: ServiceApp, op: Operation): void {
  const handler = app.handlers.get(op.id)
  if (!handler) throw new Error(`${op.id} is declared and has no handler`)
  hono.on(op.method, BASE_PATH + op.path, (c) => answerOperation(app, op, handler, c))
}

function mountBelow(hono: OpenAPIHono<RequestEnv>, app: ServiceApp, op: Operation): void {
  const { below } = op
  if (!below) return
  const served = app.below.get(op.id)
  if (!served) throw new Error(`${op.id} declares requests below itself and nobody serves them`)
  const path = op.path + below.path
  // OPTIONS needs no token: the answer is the same for everyone.
  hono.on(
    'OPTIONS',
    [op.path, path].map((one) => BASE_PATH + one),
    (c) => c.body(null, 204, served.options),
  )
  hono.all(BASE_PATH + path, (c, next) =>
    below.methods.some((method) => method === c.req.raw.method) ? answerBelow(app, op, served, c) : next(),
  )
  refuseOthers(hono, path, [...below.methods, 'OPTIONS'])
}

function refuseOthers(hono: OpenAPIHono<RequestEnv>, path: string, methods: readonly string[]): void {
  const allow = [...new Set(methods)].join(', ')
  hono.all(BASE_PATH + path, (c) => {
    const refused = refusal(405, 'route.wrong-method', { method: c.req.method, allow })
    return refuse(c, refused.with({ Allow: allow }))
  })
}

function refuse(c: RequestContext, refusal: Refusal): Response {
  const error: ErrorBody['error'] = {
    ...refusal.asTold,
    ...refusal.atFields,
    requestId: c.get('requestId'),
  }
  return c.json({ error }, refusal.status as ContentfulStatusCode, refusal.headers)
}

function compareSpecificity(a: string, b: string): number {
  const key = (path: string) =>
    path
      .split('/')
      .map((part) => (part.startsWith(':') ? '1' : '0'))
      .join('')
  return key(a).localeCompare(key(b))
}
