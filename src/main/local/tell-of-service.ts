import path from 'node:path'
import { localized } from '../../contract/messages/localized-text.ts'
import type { StartupNotices } from '../base/startup-notices.ts'
import type { ReadyService } from './local-service.ts'

/** @param folder `servers` in the service's data folder */
export function tellOfService(
  notes: StartupNotices,
  folder: string,
  { restored, orphans, emptied, leftovers }: Omit<ReadyService, 'type' | 'baseUrl'>,
): void {
  if (restored) notes.tell(localized('local.restored', { when: restored }))
  if (orphans.length > 0) notes.tell(localized('local.orphans', { folder, names: orphans.join(', ') }))
  if (emptied.length > 0) notes.tell(localized('local.emptied', { folder, names: emptied.join(', ') }))
  if (leftovers.length > 0)
    notes.tell(localized('local.leftovers', { folder: path.dirname(folder), names: leftovers.join(', ') }))
}
