import { area } from './operation.ts'

const { planned } = area('access')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const access = {
  list: planned({
    id: 'access.list',
    summary: 'List collaborators',
    method: 'GET',
    path: '/servers/access/:serverId',
    origin: 'assumed',
  }),
  invite: planned({
    id: 'access.invite',
    summary: 'Invite',
    method: 'POST',
    path: '/servers/access/:serverId',
    origin: 'assumed',
  }),
  change: planned({
    id: 'access.change',
    summary: 'Change scopes',
    method: 'PATCH',
    path: '/servers/access/:serverId/:userId',
    origin: 'assumed',
  }),
  remove: planned({
    id: 'access.remove',
    summary: 'Remove',
    method: 'DELETE',
    path: '/servers/access/:serverId/:userId',
    origin: 'assumed',
  }),
  scopes: planned({
    id: 'access.scopes',
    summary: 'Catalogue of scopes',
    method: 'GET',
    path: '/permissions',
    origin: 'assumed',
  }),
}
