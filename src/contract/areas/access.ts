import { z } from 'zod'
import { fieldError } from '../messages/refusals/field-error.ts'
import { Email } from './account.ts'
import { alsoNamed, ID_NAMES } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { all, json, list, openEnum, Paging, Time, always, maybe } from '../declarations/operation.ts'

const { read, write } = area('access')

export const COLLABORATORS_MAX = 100

export const CollaboratorState = openEnum(['active', 'invited', 'expired'], {
  active: ['accepted', 'joined', 'member'],
  invited: ['pending', 'sent'],
})

export const Collaborator = alsoNamed(
  z.object({
    /** The account's id, or the invitation's while it is open. */
    id: always.filled,
    name: maybe.text,
    email: maybe.text,
    /** `owner`, or the granted scopes. */
    role: z.union([z.literal('owner'), z.array(z.string())]).nullish(),
    state: CollaboratorState.nullish(),
    since: Time.nullish(),
    expiresAt: Time.nullish(),
    you: maybe.flag,
  }),
  {
    id: [...ID_NAMES, 'userId'],
    name: ['displayName', 'username'],
    email: ['emailAddress', 'mail'],
    role: ['scopes', 'permissions'],
    state: ['status'],
    since: ['createdAt', 'created', 'joinedAt', 'invitedAt'],
    you: ['isYou', 'self', 'current'],
  },
)
export type Collaborator = z.output<typeof Collaborator>

export const ScopeEntry = alsoNamed(
  z.object({
    id: always.filled,
    name: maybe.text,
    description: maybe.text,
    /** Only the owner can grant it: it allows running programs on the service's computer. */
    ownerOnly: maybe.flag,
  }),
  { id: [...ID_NAMES, 'scope', 'key'], name: ['title', 'label'] },
)
export type ScopeEntry = z.output<typeof ScopeEntry>

export const Invitation = alsoNamed(
  z.object({
    id: always.filled,
    server: z.object({ id: maybe.text, name: maybe.text }).nullish(),
    from: maybe.text,
    scopes: z.array(z.string()).nullish(),
    expiresAt: Time.nullish(),
  }),
  { id: ID_NAMES, from: ['invitedBy', 'sender'], scopes: ['permissions', 'role'] },
)
export type Invitation = z.output<typeof Invitation>

/** Scope ids. A service may have scopes we don't know, and refuses those it doesn't. */
const ScopeList = z
  .array(z.string().min(1).max(100))
  .min(1, fieldError('request.invalid.permission'))
  .max(100)

export const access = {
  list: read({
    id: 'access.list',
    summary: 'List collaborators and open invitations',
    path: '/servers/access/:serverId',
    origin: 'assumed',
    scope: 'access.read',
    query: Paging,
    answer: list(Collaborator, 'id'),
    pages: all(COLLABORATORS_MAX + 1, 200),
    keep: 'disk',
  }),
  invite: write({
    id: 'access.invite',
    summary: 'Invite someone by email, or send the invitation again',
    rate: { burst: 30, perSecond: 0.2 },
    method: 'POST',
    path: '/servers/access/:serverId',
    origin: 'assumed',
    scope: 'access.write',
    body: z.object({ email: Email, scopes: ScopeList }),
    status: 201,
    answer: json(Collaborator),
    stale: ['access.list'],
    logged: { is: 'person', by: 'body', field: 'email' },
    bridge: 'pass',
  }),
  leave: write({
    id: 'access.leave',
    summary: 'Leave a server that is shared with the account',
    method: 'POST',
    path: '/servers/access/leave/:serverId',
    origin: 'extension',
    scope: 'server.read',
    stale: ['servers.list', 'servers.read', 'access.list'],
    bridge: 'pass',
  }),
  change: write({
    id: 'access.change',
    summary: 'Change the scopes of a collaborator',
    rate: { burst: 100, perSecond: 2 },
    method: 'PATCH',
    path: '/servers/access/:serverId/:userId',
    origin: 'assumed',
    scope: 'access.write',
    body: z.object({ scopes: ScopeList }),
    answer: json(Collaborator),
    stale: ['access.list', 'servers.read'],
    logged: { is: 'person', by: 'handler' },
    bridge: 'pass',
  }),
  remove: write({
    id: 'access.remove',
    summary: 'Remove a collaborator, or withdraw an invitation',
    rate: { burst: 100, perSecond: 2 },
    method: 'DELETE',
    path: '/servers/access/:serverId/:userId',
    origin: 'assumed',
    scope: 'access.write',
    stale: ['access.list'],
    logged: { is: 'person', by: 'handler' },
    bridge: 'pass',
  }),
  scopes: read({
    id: 'access.scopes',
    summary: 'List the scopes that can be granted',
    path: '/permissions',
    origin: 'assumed',
    answer: list(ScopeEntry, 'id'),
    keep: 'disk',
  }),
  invitations: read({
    id: 'access.invitations',
    summary: 'List invitations to the account',
    path: '/invitations',
    origin: 'extension',
    query: Paging,
    answer: list(Invitation, 'id'),
    pages: all(1000, 200),
    keep: 'disk',
  }),
  answer: write({
    id: 'access.answer',
    summary: 'Accept or decline an invitation',
    rate: { burst: 30, perSecond: 1 },
    method: 'POST',
    path: '/invitations/:invitationId',
    origin: 'extension',
    body: z.object({ accept: z.boolean() }),
    stale: ['access.invitations', 'servers.list', 'access.list', 'activity.list'],
    logged: { is: 'switch', by: 'body', field: 'accept' },
    bridge: 'pass',
  }),
}
