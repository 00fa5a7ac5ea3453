import { Copies } from '../../host/database-copies.ts'
import type { Clock } from '../base/clock.ts'

/** More than a service can start between two copies: lines of then and now never get the same number. */
const EPOCHS_BETWEEN = 100_000

/**
 * Copies of the service's database. Nobody is signed in in one that is put back: sign-ins that were ended since would be
 * valid again. Line numbers go on far behind those that were given since.
 */
export const serviceCopies = (dataDir: string, clock: Clock): Copies =>
  new Copies({
    ...{ dataDir, name: 'service', days: 7, now: () => clock.now() },
    holds: 'SELECT 1 FROM meta',
    release: `DELETE FROM tokens; DELETE FROM codes;
      UPDATE meta SET value = CAST(CAST(value AS INTEGER) + ${EPOCHS_BETWEEN} AS TEXT) WHERE key = 'epoch'`,
  })
