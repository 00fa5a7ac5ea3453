import type { AreaHandlers, Rooms } from './handlers.ts'

export function viewHandlers({ views }: Rooms): AreaHandlers<'view'> {
  return {
    'view.servers': (input) => views.read('servers', input),
    'view.server': (input) => views.read('server', input),
    'view.status': (input) => views.read('status', input),
    'view.config': (input) => views.read('config', input),
    'view.software': (input) => views.read('software', input),
    'view.account': (input) => views.read('account', input),
    'view.folder': (input) => views.read('folder', input),
    'view.trash': (input) => views.read('trash', input),
    'view.limits': (input) => views.read('limits', input),
  }
}
