import { area } from './declare.ts'

const { planned } = area('access')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const access = {
  list: planned.read({
    id: 'access.list',
    summary: 'List collaborators',
    path: '/servers/access/:serverId',
    origin: 'assumed',
    scope: 'access.read',
  }),
  invite: planned.write({
    id: 'access.invite',
    summary: 'Invite',
    method: 'POST',
    path: '/servers/access/:serverId',
    origin: 'assumed',
    scope: 'access.write',
  }),
  change: planned.write({
    id: 'access.change',
    summary: 'Change scopes',
    method: 'PATCH',
    path: '/servers/access/:serverId/:userId',
    origin: 'assumed',
    scope: 'access.write',
  }),
  remove: planned.write({
    id: 'access.remove',
    summary: 'Remove',
    method: 'DELETE',
    path: '/servers/access/:serverId/:userId',
    origin: 'assumed',
    scope: 'access.write',
  }),
  scopes: planned.read({
    id: 'access.scopes',
    summary: 'Catalog of scopes',
    path: '/permissions',
    origin: 'assumed',
  }),
}
