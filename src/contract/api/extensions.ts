import { area } from './operation.ts'

const { planned } = area('extensions')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const extensions = {
  list: planned({
    id: 'extensions.list',
    summary: 'Installed extensions',
    method: 'GET',
    path: '/servers/extensions/:serverId',
    origin: 'assumed',
  }),
  search: planned({
    id: 'extensions.search',
    summary: 'Find extensions',
    method: 'GET',
    path: '/extensions/search',
    origin: 'assumed',
  }),
  install: planned({
    id: 'extensions.install',
    summary: 'Install',
    method: 'POST',
    path: '/servers/extensions/:serverId',
    origin: 'assumed',
  }),
  change: planned({
    id: 'extensions.change',
    summary: 'Enable, disable or update',
    method: 'PATCH',
    path: '/servers/extensions/:serverId/:extensionId',
    origin: 'assumed',
  }),
  remove: planned({
    id: 'extensions.remove',
    summary: 'Remove',
    method: 'DELETE',
    path: '/servers/extensions/:serverId/:extensionId',
    origin: 'assumed',
  }),
}
