import { fullDisk } from '../../host/full-disk.ts'
import { refusal, type Refusal } from './refusal.ts'

/** What is said where there is no room for files. */
export const filesDiskFull = () => refusal(507, 'files.disk-full')

/** The refusal for what failed because there is no room on the disk; null where it failed for another reason. */
export function diskFullRefusal(error: unknown): Refusal | null {
  const full = fullDisk(error)
  return full && refusal(507, full === 'full' ? 'service.disk-full' : 'service.disk-full.unwritable')
}
