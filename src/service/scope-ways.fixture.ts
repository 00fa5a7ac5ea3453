import { z, ZodObject } from 'zod'
import { servedOperations } from '../contract/areas/index.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import type { RequiredScopes } from './base/access.ts'
import type { Answer, TestService } from './service.fixture.ts'

/** One way to ask an operation of a server: the operation itself, a row of its table of scopes, or what lies below it. */
export interface ScopedCall {
  name: string
  method: string
  path: string
  needs: RequiredScopes
  body: object | undefined
}

/** Every way there is to ask for something of one server, by the declarations. */
export const ways: ScopedCall[] = servedOperations
  .filter(({ path }) => path.includes(':serverId'))
  .flatMap(waysOf)

function waysOf(op: Operation): ScopedCall[] {
  const { id, method, path, scope, below } = op
  if (scope === null) throw new Error(`${id} has no scope`)
  const way = { name: id, method, path, body: bodyOf(op, {}) }
  const own: ScopedCall[] =
    typeof scope === 'object' && 'by' in scope
      ? Object.entries(scope.needs).map(([value, needs]) => ({
          ...way,
          name: `${id} with ${scope.by} ${value}`,
          body: bodyOf(op, { [scope.by]: value }),
          needs,
        }))
      : [{ ...way, needs: typeof scope === 'string' && scope !== 'owner' ? [scope] : scope }]
  const behind = (below?.methods ?? []).map((below_) => ({
    ...own[0]!,
    name: `${below_} below ${id}`,
    method: below_,
    path: path + below!.path,
    body: undefined,
  }))
  return [...own, ...behind]
}

/** What fits an operation's body as far as scopes go; the values are of the right kind, what they name is not there. */
function bodyOf({ body }: Operation, given: object): object | undefined {
  if (!body) return undefined
  const { properties = {}, required = [] } = z.toJSONSchema(body, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  if (!(body instanceof ZodObject)) throw new Error('A body is an object')
  const values = required.map((name) => [name, valueOf(properties[name] ?? {})])
  return { ...Object.fromEntries(values), ...given }
}

interface JsonSchema {
  type?: string
  enum?: unknown[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

function valueOf({ type, enum: members, items, properties = {}, required = [] }: JsonSchema): unknown {
  if (members) return members[0]
  if (type === 'array') return [valueOf(items ?? {})]
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {})]))
  if (type === 'number' || type === 'integer') return 512
  return type === 'boolean' ? true : 'none'
}

const REFUSALS = ['auth.token-missing', 'server.not-found', 'server.forbidden']

/**
 * Asks in this way. `said`: what its checks refused with, else `let in`: whatever was answered was said by the operation
 * itself.
 *
 * @param confirm the name that is given where something is deleted
 */
export async function ask(
  service: TestService,
  way: ScopedCall,
  { serverId, token, confirm }: { serverId: string; token: string | null; confirm: string },
): Promise<{ answer: Answer; said: string }> {
  const address = way.path.replace(':serverId', serverId).replace(/:\w+/, 'none')
  const route = `${way.method} ${address}${way.method === 'DELETE' ? `?confirm=${confirm}` : '?path=none&name=none'}`
  const answer = await service.call(route, {
    ...(token !== null && { token }),
    ...(way.body && { body: way.body }),
  })
  // HEAD has no body to say it in; what the protocol below says carries its own header.
  const code =
    answer.body?.error?.code ?? (answer.headers.has('tus-resumable') ? '' : codeOfHead(answer.status))
  return { answer, said: REFUSALS.includes(code) ? `${answer.status} ${code}` : 'let in' }
}

const codeOfHead = (status: number): string =>
  ({ 401: 'auth.token-missing', 403: 'server.forbidden', 404: 'server.not-found' })[status] ?? ''
