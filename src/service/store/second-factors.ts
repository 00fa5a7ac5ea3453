import type { DatabaseSync } from 'node:sqlite'

export interface SecondFactorRow {
  /** Base32. */
  secret: string
  begunAt: number
  /** Null: begun, and asked for nowhere yet. */
  turnedOnAt: number | null
  /** Which step of time the last code belonged to that was taken; null where none was. */
  lastCounter: number | null
}

export type SecondFactorsTable = ReturnType<typeof secondFactorsTable>

/** The second factors of accounts, and the recovery codes (by hash) that are left. */
export function secondFactorsTable(db: DatabaseSync) {
  const of = db.prepare(
    `SELECT secret, begun_at AS begunAt, turned_on_at AS turnedOnAt, last_counter AS lastCounter
     FROM second_factors WHERE account_id = ?`,
  )
  const begin = db.prepare(
    `INSERT INTO second_factors (account_id, secret, begun_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET secret = excluded.secret, begun_at = excluded.begun_at WHERE turned_on_at IS NULL`,
  )
  const turnOn = db.prepare('UPDATE second_factors SET turned_on_at = ? WHERE account_id = ?')
  const took = db.prepare('UPDATE second_factors SET last_counter = ? WHERE account_id = ?')
  const remove = db.prepare('DELETE FROM second_factors WHERE account_id = ?')
  const addCode = db.prepare('INSERT INTO recovery_codes (account_id, hash) VALUES (?, ?)')
  const useCode = db.prepare('DELETE FROM recovery_codes WHERE account_id = ? AND hash = ?')
  const left = db.prepare('SELECT count(*) AS count FROM recovery_codes WHERE account_id = ?')

  return {
    of: (accountId: string) => (of.get(accountId) as SecondFactorRow | undefined) ?? null,
    /** Begins anew; false where it is on. */
    begin: (accountId: string, secret: string, now: number) =>
      begin.run(accountId, secret, now).changes === 1,
    turnOn(accountId: string, now: number, recoveryHashes: readonly string[]): void {
      turnOn.run(now, accountId)
      for (const hash of recoveryHashes) addCode.run(accountId, hash)
    },
    /** Notes the code that was taken: it is good for nothing from now on. */
    took: (accountId: string, counter: number) => void took.run(counter, accountId),
    remove: (accountId: string) => void remove.run(accountId),
    /** Uses a recovery code up; false where it is none. */
    useRecoveryCode: (accountId: string, hash: string) => useCode.run(accountId, hash).changes === 1,
    recoveryCodesLeft: (accountId: string) => Number(left.get(accountId)?.['count']),
  }
}
