import type { AreaHandlers, Rooms } from './handlers.ts'

export function appHandlers({ ports, settings, notes, wake }: Rooms): AreaHandlers<'app' | 'settings'> {
  return {
    'app.info': () => ({
      version: ports.version,
      way: ports.way,
      platform: process.platform,
      keychain: ports.secrets.status(),
      local: ports.local,
    }),
    'app.online': () => wake(),
    'app.open': ({ url }) => ports.openExternal(url),
    'app.notes': () => notes.list(),
    'app.dismiss-note': ({ id }) => notes.dismiss(id),
    'settings.read': () => settings.read(),
    'settings.change': (change) => settings.change(change),
  }
}
