import type { AreaHandlers } from './handlers.ts'
import { memoryMb } from '../../host/computer-memory.ts'
import type { StartupNotices } from '../base/startup-notices.ts'
import type { Ports } from '../base/ports.ts'
import type { SettingsStore } from '../databases/settings.ts'

export interface AppDependencies {
  ports: Ports
  settings: SettingsStore
  notes: StartupNotices
  wake: () => void
}

export function appCalls({
  ports,
  settings,
  notes,
  wake,
}: AppDependencies): AreaHandlers<'app' | 'settings'> {
  return {
    'app.info': () => ({
      version: ports.version,
      way: ports.way,
      platform: process.platform,
      dialogs: (ports.systemFiles ?? null) !== null,
      keychain: ports.secrets.status(),
      memoryMb: memoryMb(),
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
