import type { DatabaseSync } from 'node:sqlite'
import { Copies } from '../../host/database-copies.ts'
import type { Clock } from '../base/clock.ts'

/** More starts than can happen between two copies, so line numbers are never reused. */
const EPOCHS_BETWEEN = 100_000

/** Restored copies contain no sign-ins, since some may have been ended after the copy was made. */
export const serviceCopies = (dataDir: string, clock: Clock): Copies =>
  new Copies({
    ...{ dataDir, name: 'service', days: 7, now: () => clock.now() },
    holds: 'SELECT 1 FROM meta',
    release: `DELETE FROM tokens; DELETE FROM codes;
      UPDATE meta SET value = CAST(CAST(value AS INTEGER) + ${EPOCHS_BETWEEN} AS TEXT) WHERE key = 'epoch'`,
  })

const LOOK_MS = 60 * 60_000

/** Copies the database daily, and at the end. A new database is still empty. */
export function keepCopies(
  db: DatabaseSync,
  copies: Copies,
  isNew: boolean,
  failed: (error: unknown) => void = () => {},
) {
  const copy = () => copies.make(db).catch(failed)
  const look = () => void (copies.due && copy())
  const looking = setInterval(look, LOOK_MS).unref()
  if (!isNew) look()
  return {
    async end() {
      clearInterval(looking)
      await copies.settled()
      await copy()
    },
  }
}
