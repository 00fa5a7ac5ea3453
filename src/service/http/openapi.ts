import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import { ErrorBody } from '../../contract/declarations/errors.ts'
import { BASE_PATH } from '../../contract/areas/index.ts'
import type { Answer, Operation } from '../../contract/declarations/operation.ts'
import { Yielder } from '../../host/yield.ts'
import { SECOND_FACTOR_HEADER, SecondFactorCode } from '../../contract/areas/second-factor.ts'

/** zod's own `meta`: `openapi` of @hono/zod-openapi exists only on schemas created after it was loaded. */
const error = ErrorBody.meta({ id: 'Error' })

/** Made area by area, with turns between: all at once it would hold others up for 100 ms. */
export async function openApiDocument(operations: readonly Operation[]) {
  const yielder = new Yielder()
  const parts: ReturnType<typeof describeArea>[] = []
  const byArea = Map.groupBy(operations, (op) => op.area)
  for (const ops of byArea.values()) {
    await yielder.turn()
    parts.push(describeArea(ops))
  }
  return {
    ...parts[0],
    openapi: '3.1.0',
    tags: [...byArea.keys()].map((name) => ({ name })),
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)) as NonNullable<(typeof parts)[0]['paths']>,
    components: {
      ...parts[0]?.components,
      schemas: Object.assign({}, ...parts.map(({ components }) => components?.schemas)) as object,
    },
  }
}

function describeArea(ops: readonly Operation[]) {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono()
  openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  for (const op of ops) openAPIRegistry.registerPath(describeOperation(op))
  return getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Hosting Control API',
      version: '1-alpha',
      description:
        'Generated from src/contract/areas. `x-origin` says whether the specification states path, method and shape, ' +
        'whether this project filled them in, or whether they are an extension. `x-scope` is what the caller needs at the server.',
    },
    servers: [{ url: BASE_PATH }],
  })
}

const BYTES = {
  'application/octet-stream': { schema: z.string().meta({ type: 'string', format: 'binary' }) },
}

function describeOperation(op: Operation): RouteConfig {
  const names = [...op.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  return {
    method: op.method.toLowerCase() as Lowercase<Operation['method']>,
    path: op.path.replaceAll(/:(\w+)/g, '{$1}'),
    operationId: op.id,
    summary: op.summary,
    tags: [op.area],
    ...(op.token && { security: [{ bearer: [] }] }),
    request: {
      ...(names.length > 0 && {
        params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
      }),
      ...(op.query && { query: op.query }),
      ...(op.secondFactor && { headers: z.object({ [SECOND_FACTOR_HEADER]: SecondFactorCode.optional() }) }),
      ...(op.body && { body: { required: true, content: { 'application/json': { schema: op.body } } } }),
      ...(op.sends === 'bytes' && { body: { required: true, content: BYTES } }),
    },
    responses: {
      [op.status]: { description: 'Done', ...content(op.answer) },
      default: { description: 'Refused', content: { 'application/json': { schema: error } } },
    },
    'x-origin': op.origin,
    ...(op.scope && { 'x-scope': op.scope }),
    ...(op.answer.kind === 'events' && { 'x-scope-of-events': op.answer.needs }),
    ...(op.stale.length > 0 && { 'x-makes-stale': op.stale }),
  }
}

function content(answer: Answer) {
  switch (answer.kind) {
    case 'none':
      return {}
    case 'json':
      return { content: { 'application/json': { schema: answer.schema } } }
    case 'list': {
      const { parts } = answer
      const schema = z.object({
        ...{ items: z.array(answer.item), nextCursor: z.string().nullable() },
        ...(parts && { unreadable: z.array(z.string().meta({ examples: [...parts] })).optional() }),
      })
      return { content: { 'application/json': { schema } } }
    }
    case 'events':
      return { content: { 'text/event-stream': { schema: z.string() } } }
    case 'bytes':
      return { content: BYTES }
  }
}
