import type { Operation, Scope } from '../../contract/declarations/operation.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import type { ServerRow } from '../store/servers.ts'

export type GrantedScopes = 'owner' | readonly Scope[] | null

/** Every permission check for servers goes through this port. */
export interface ServerAccess {
  byId(serverId: string): ServerRow | null
  held(accountId: string, server: ServerRow): GrantedScopes
  isGoing(serverId: string): boolean
  /** Servers still being moved in accept a few requests while their files arrive. */
  moving?(serverId: string): ServerRow | null
  /** Throws the known cause of an unforeseen failure, if there is one. */
  explain?(serverId: string): void
}

/** Operations needed to send the files of a server that is being moved in. */
const OF_MOVING: ReadonlySet<string> = new Set([
  'servers.read',
  'files.list',
  'files.read',
  'files.limits',
  'files.upload',
  'files.batch',
  'files.folder',
])

export interface AccessGrant {
  server: ServerRow
  held: Exclude<GrantedScopes, null>
}

export type RequiredScopes = 'owner' | readonly Scope[]

/** Throws Refusal 404 `server.not-found`, the same for missing servers and those not shared. */
function findServer(
  access: ServerAccess,
  accountId: string,
  serverId: string,
  operation: string | undefined = undefined,
): AccessGrant {
  const isOfMoving = operation !== undefined && OF_MOVING.has(operation)
  const server = access.byId(serverId) ?? (isOfMoving ? (access.moving?.(serverId) ?? null) : null)
  const held = server && access.held(accountId, server)
  if (server && held) return { server, held }
  throw refusal(404, 'server.not-found')
}

/** Throws Refusal 403 `server.forbidden`. */
function requireScopes({ server, held }: AccessGrant, needs: RequiredScopes): void {
  if (held === 'owner') return
  if (needs === 'owner') {
    throw refusal(403, 'server.forbidden.owner', { server: server.name })
  }
  const missing = needs.filter((scope) => !held.includes(scope))
  if (missing.length === 0) return
  const those = { server: server.name, scopes: missing.join(', ') }
  throw missing.length === 1
    ? refusal(403, 'server.forbidden', those)
    : refusal(403, 'server.forbidden.some', those)
}

export interface AccessRequest {
  accountId: string
  serverId: string
  needs: RequiredScopes
  changes: boolean
  /** Operation id. Without one, requests about servers being moved in are refused. */
  operation?: string
}

/** Throws 404, 403, and 409 `server.removing`. */
export function requireAccess(
  access: ServerAccess,
  { accountId, serverId, needs, changes, operation }: AccessRequest,
): AccessGrant {
  const found = findServer(access, accountId, serverId, operation)
  requireScopes(found, needs)
  if (changes && access.isGoing(serverId)) throw refusal(409, 'server.removing')
  return found
}

/** Rules that depend on the body need nothing while `body` is undefined: strangers are refused before we read it. */
export function needsOf({ id, scope }: Pick<Operation, 'id' | 'scope'>, body: unknown): RequiredScopes {
  if (scope === null) throw new Error(`${id} is of no server`)
  if (scope === 'owner') return scope
  if (typeof scope === 'string') return [scope]
  if (!('by' in scope)) return scope
  if (body === undefined) return []
  const needs = scope.needs[String((body as Record<string, unknown>)[scope.by])]
  // Operations missing from the table are for owners only.
  return needs ?? 'owner'
}

/** Checks access again after reads and errors: the server may be gone. */
export async function answerAbout<T>(
  access: ServerAccess,
  ask: AccessRequest,
  act: (found: AccessGrant) => T | Promise<T>,
): Promise<T> {
  const found = requireAccess(access, ask)
  const still = () => void requireAccess(access, { ...ask, changes: false })
  let value: T
  try {
    value = await act(found)
  } catch (error) {
    still()
    if (!(error instanceof Refusal)) access.explain?.(ask.serverId)
    throw error
  }
  try {
    if (!ask.changes) still()
    return value
  } catch (error) {
    if (value instanceof Response) await value.body?.cancel()
    throw error
  }
}

export function isKnownAt(access: ServerAccess, { accountId, serverId }: AccessRequest): boolean {
  const server = access.byId(serverId)
  return server !== null && access.held(accountId, server) !== null
}

export function mayAsk(
  access: ServerAccess,
  accountId: string,
  serverId: string,
  op: Pick<Operation, 'id' | 'scope'>,
): boolean {
  const server = access.byId(serverId)
  const held = server && access.held(accountId, server)
  if (!held) return false
  if (held === 'owner' || op.scope === null) return true
  const needs = needsOf(op, undefined)
  return needs !== 'owner' && needs.every((scope) => held.includes(scope))
}

/** Event kinds an account may receive. Throws 404, and 403 if there are none. */
export function kindsFor<Kind extends string>(
  access: ServerAccess,
  accountId: string,
  serverId: string,
  needs: Readonly<Record<Kind, Scope>>,
): ReadonlySet<Kind> {
  const found = findServer(access, accountId, serverId)
  const { held } = found
  const kinds = (Object.keys(needs) as Kind[]).filter(
    (kind) => held === 'owner' || held.includes(needs[kind]),
  )
  if (kinds.length === 0) requireScopes(found, [...new Set(Object.values<Scope>(needs))])
  return new Set(kinds)
}
