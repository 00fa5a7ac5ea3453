import type { DatabaseSync } from 'node:sqlite'
import { type Copies, NotWhole } from '../../host/database-copies.ts'
import { isFault, stillThere, suspect } from '../../host/app-database.ts'

/** How often the database is checked to exist, in ms; and after how many checks changes are copied. */
const LOOK_MS = 60_000
const LOOKS_PER_COPY = 60

export interface KeepingCopies {
  /** Called once if the database is removed or replaced while running. */
  onRemoved?: (sentence: string) => void
  onCopyFailed?: (error: unknown) => void
  lookMs?: number
}

/**
 * Copies the database daily, every hour with changes, and on close.
 * @param uncounted number of changes that need no copy
 */
export function keepCopies(
  db: DatabaseSync,
  file: string,
  copies: Copies,
  uncounted: () => number,
  options: KeepingCopies,
) {
  const changes = db.prepare('SELECT total_changes() AS n')
  const changed = () => Number(changes.get()?.['n']) - uncounted()
  // Starting writes a row of its own.
  let copied = changed()
  let looks = 0
  let told = false
  const copy = async (): Promise<boolean> => {
    try {
      const now = changed()
      await copies.make(db)
      copied = now
      return true
    } catch (error) {
      if (error instanceof NotWhole || isFault(error)) suspect(file)
      options.onCopyFailed?.(error)
      return false
    }
  }
  const tellRemoved = async () => {
    const kept = (await copy()) ? ' Its newest state was copied to the folder copies.' : ''
    options.onRemoved?.(
      `${file} was removed or replaced while the service was running.${kept} Stop the service: if no file is in its ` +
        'place, it is written again.',
    )
  }
  const look = setInterval(() => {
    const there = stillThere(db, file)
    if (!there && !told) {
      told = true
      return void tellRemoved()
    }
    looks = (looks + 1) % LOOKS_PER_COPY
    if (copies.due || (looks === 0 && changed() !== copied)) void copy()
  }, options.lookMs ?? LOOK_MS)
  look.unref()
  return {
    /** Makes a copy if due. A new database is still empty. */
    begin() {
      if (copies.due) void copy()
    },
    async end() {
      clearInterval(look)
      await copies.settled()
      if (changed() !== copied) await copy()
    },
  }
}
