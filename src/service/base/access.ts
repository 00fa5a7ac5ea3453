import type { Operation, Scope } from '../../contract/declarations/operation.ts'
import { refusal, Refusal } from './refusal.ts'
import type { ServerRow } from '../store/servers.ts'

/** What an account holds at a server: all as its owner, single scopes as a member; null where it is a stranger there. */
export type Held = 'owner' | readonly Scope[] | null

/** Who may do what at which server: the one port that every check goes through. */
export interface ServerAccess {
  /** Null where there is no such server. */
  byId(serverId: string): ServerRow | null
  held(accountId: string, server: ServerRow): Held
  /** Whether a server is being deleted. */
  isGoing(serverId: string): boolean
  /** A server that is being moved in, for what is asked of it while its files come; null where there is no such. */
  moving?(serverId: string): ServerRow | null
  /** Throws what is wrong with a server of which something failed in a way that nobody foresaw, where that is known. */
  explain?(serverId: string): void
}

/** What can be asked of a server that is being moved in: all that it takes to send files. */
const OF_MOVING: ReadonlySet<string> = new Set([
  'servers.read',
  'files.list',
  'files.read',
  'files.limits',
  'files.upload',
  'files.batch',
  'files.folder',
])

/** A server, and what who asks holds at it. */
export interface Found {
  server: ServerRow
  held: Exclude<Held, null>
}

/** What has to be held: to be the owner, or all of these scopes. */
export type Needs = 'owner' | readonly Scope[]

/** Throws Refusal 404 `server.not-found`, the same whether there is no such server or nothing of it is shared. */
export function findServer(
  access: ServerAccess,
  accountId: string,
  serverId: string,
  operation: string | undefined = undefined,
): Found {
  const isOfMoving = operation !== undefined && OF_MOVING.has(operation)
  const server = access.byId(serverId) ?? (isOfMoving ? (access.moving?.(serverId) ?? null) : null)
  const held = server && access.held(accountId, server)
  if (server && held) return { server, held }
  throw refusal(404, 'server.not-found')
}

/** Throws Refusal 403 `server.forbidden` with a sentence that names what is missing. */
export function requireScopes({ server, held }: Found, needs: Needs): void {
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

/** Who asks for what of one server. */
export interface Ask {
  accountId: string
  serverId: string
  needs: Needs
  /** Whether it changes something: of a server that is being deleted nothing is changed any more. */
  changes: boolean
  /** Id of what is asked. Without it, it is nothing that can be asked of one that is still being moved in. */
  operation?: string
}

/** The server, if it may be asked this of it now. Throws 404, 403, and 409 `server.removing`. */
export function requireAccess(
  access: ServerAccess,
  { accountId, serverId, needs, changes, operation }: Ask,
): Found {
  const found = findServer(access, accountId, serverId, operation)
  requireScopes(found, needs)
  if (changes && access.isGoing(serverId)) throw refusal(409, 'server.removing')
  return found
}

/**
 * What an operation needs. A rule that goes by the body needs nothing before the body is here (`body` undefined), so that
 * strangers are refused before anything of theirs is read.
 */
export function needsOf({ id, scope }: Pick<Operation, 'id' | 'scope'>, body: unknown): Needs {
  if (scope === null) throw new Error(`${id} is of no server`)
  if (scope === 'owner') return scope
  if (typeof scope === 'string') return [scope]
  if (body === undefined) return []
  const needs = scope.needs[String((body as Record<string, unknown>)[scope.by])]
  // Whatever the table does not name is the owner's alone.
  return needs ?? 'owner'
}

/**
 * Answers what is asked of one server. Where access to it is gone by the end of a read, or where something failed
 * because the server went, that is the answer: what was gathered is half of what it held, and no error of its folder
 * says so.
 */
export async function answerAbout<T>(
  access: ServerAccess,
  ask: Ask,
  act: (found: Found) => T | Promise<T>,
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
    // What is not handed on has to let go of what it reads.
    if (value instanceof Response) await value.body?.cancel()
    throw error
  }
}

/** Whether who asks has anything to do with the server: whether it may be asked of it or not. */
export function isKnownAt(access: ServerAccess, { accountId, serverId }: Ask): boolean {
  const server = access.byId(serverId)
  return server !== null && access.held(accountId, server) !== null
}

/** Whether an account may ask an operation that reads something of a server, or of all of them. */
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

/** The kinds of events of a server that an account may be told. Throws 404, and 403 where there is none. */
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
