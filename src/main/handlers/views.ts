import type { AreaHandlers, Rooms } from './handlers.ts'

export function viewHandlers({ views }: Rooms): AreaHandlers<'view'> {
  return {
    'view.servers': (input, window) => views.read('servers', input, window),
    'view.server': (input, window) => views.read('server', input, window),
    'view.status': (input, window) => views.read('status', input, window),
    'view.config': (input, window) => views.read('config', input, window),
    'view.software': (input, window) => views.read('software', input, window),
    'view.account': (input, window) => views.read('account', input, window),
    'view.folder': (input, window) => views.read('folder', input, window),
    'view.trash': (input, window) => views.read('trash', input, window),
    'view.limits': (input, window) => views.read('limits', input, window),
    'view.leave': ({ view, ...input }, window) => views.leave(view, input, window),
  }
}
