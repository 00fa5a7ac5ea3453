import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Updates } from './updates.ts'

export interface UpdateDependencies {
  updates: Updates
}

export const updateHandlers = ({ updates }: UpdateDependencies): AreaHandlers<'updates'> => ({
  'updates.read': () => updates.read(),
  'updates.check': () => updates.check(),
  'updates.download': () => updates.download(),
  'updates.cancel-download': () => updates.cancelDownload(),
  'updates.change': (change) => updates.change(change),
  'updates.install': ({ stop }) => updates.install(stop),
})
