import path from 'node:path'
import { say } from '../../contract/messages/say.ts'
import type { StartupNotices } from '../base/startup-notices.ts'
import type { ReadyService } from './local-service.ts'

/** @param folder `servers` in the service's data folder */
export function tellOfService(
  notes: StartupNotices,
  folder: string,
  { restored, orphans, emptied, leftovers }: Omit<ReadyService, 'type' | 'baseUrl'>,
): void {
  if (restored) notes.tell(say('local.restored', { when: restored }))
  if (orphans.length > 0) notes.tell(say('local.orphans', { folder, names: orphans.join(', ') }))
  if (emptied.length > 0) notes.tell(say('local.emptied', { folder, names: emptied.join(', ') }))
  if (leftovers.length > 0)
    notes.tell(say('local.leftovers', { folder: path.dirname(folder), names: leftovers.join(', ') }))
}
