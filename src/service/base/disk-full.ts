import { fullDisk } from '../../host/full-disk.ts'
import { refusal, type Refusal } from './refusal.ts'

export const filesDiskFull = () => refusal(507, 'files.disk-full')

/** Null if the error has another cause. */
export function diskFullRefusal(error: unknown): Refusal | null {
  const full = fullDisk(error)
  return full && refusal(507, full === 'full' ? 'service.disk-full' : 'service.disk-full.unwritable')
}
