import { Refusal } from './refusal.ts'

const FULL = "The service's disk is full. Free up space on it, then try again."
/** SQLite does not hand on why a write failed: a quota is one reason, a dying disk another. */
const UNWRITABLE =
  'The service could not write to its disk: it is full, over a quota, or failing. Free up space on it, then try ' +
  'again.'

/** SQLite: no room in the file; a write that failed; no room for what processes share. */
const SQLITE: Record<number, string> = { 13: FULL, 778: UNWRITABLE, 4874: UNWRITABLE }

/** What is said where there is no room for files. */
export const filesDiskFull = () => new Refusal(507, 'files.disk-full', FULL)

/** The refusal for what failed because there is no room on the disk; null where it failed for another reason. */
export function diskFullRefusal(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null
  const { code, errcode, cause } = error as Error & { code?: unknown; errcode?: unknown }
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const message = isFull ? FULL : code === 'ERR_SQLITE_ERROR' ? SQLITE[Number(errcode)] : undefined
  return message === undefined ? diskFullRefusal(cause) : new Refusal(507, 'service.disk-full', message)
}
