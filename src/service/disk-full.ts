import { fullDisk } from '../computer/full-disk.ts'
import { Refusal } from './refusal.ts'

const SENTENCES = {
  full: "The service's disk is full. Free up space on it, then try again.",
  unwritable:
    'The service could not write to its disk: it is full, over a quota, or failing. Free up space on it, then try ' +
    'again.',
}

/** What is said where there is no room for files. */
export const filesDiskFull = () => new Refusal(507, 'files.disk-full', SENTENCES.full)

/** The refusal for what failed because there is no room on the disk; null where it failed for another reason. */
export function diskFullRefusal(error: unknown): Refusal | null {
  const full = fullDisk(error)
  return full && new Refusal(507, 'service.disk-full', SENTENCES[full])
}
