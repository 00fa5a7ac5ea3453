import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Updates } from './updates.ts'

export interface UpdateRooms {
  updates: Updates
}

export const updateHandlers = ({ updates }: UpdateRooms): AreaHandlers<'updates'> => ({
  'updates.read': () => updates.read(),
  'updates.check': () => updates.check(),
  'updates.download': () => updates.download(),
  'updates.cancel-download': () => updates.cancelDownload(),
  'updates.change': (change) => updates.change(change),
  'updates.install': ({ stop }) => updates.install(stop),
})
