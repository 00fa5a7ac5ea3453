import { area } from './declare.ts'

const { planned } = area('extensions')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const extensions = {
  list: planned.read({
    id: 'extensions.list',
    summary: 'Installed extensions',
    path: '/servers/extensions/:serverId',
    origin: 'assumed',
    scope: 'extensions.read',
  }),
  search: planned.read({
    id: 'extensions.search',
    summary: 'Find extensions',
    path: '/extensions/search',
    origin: 'assumed',
  }),
  install: planned.write({
    id: 'extensions.install',
    summary: 'Install',
    method: 'POST',
    path: '/servers/extensions/:serverId',
    origin: 'assumed',
    scope: 'extensions.write',
  }),
  change: planned.write({
    id: 'extensions.change',
    summary: 'Enable, disable or update',
    method: 'PATCH',
    path: '/servers/extensions/:serverId/:extensionId',
    origin: 'assumed',
    scope: 'extensions.write',
  }),
  remove: planned.write({
    id: 'extensions.remove',
    summary: 'Remove',
    method: 'DELETE',
    path: '/servers/extensions/:serverId/:extensionId',
    origin: 'assumed',
    scope: 'extensions.write',
  }),
}
