import type { DatabaseSync } from 'node:sqlite'

interface SecondFactorRow {
  secret: string
  begunAt: number
  /** Null: not confirmed yet, so not asked for. */
  turnedOnAt: number | null
  /** Time step of the last accepted code. */
  lastCounter: number | null
}

export type SecondFactorsTable = ReturnType<typeof secondFactorsTable>

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
    /** Replaces an unconfirmed secret; false if already on. */
    begin: (accountId: string, secret: string, now: number) =>
      begin.run(accountId, secret, now).changes === 1,
    turnOn(accountId: string, now: number, recoveryHashes: readonly string[]): void {
      turnOn.run(now, accountId)
      for (const hash of recoveryHashes) addCode.run(accountId, hash)
    },
    took: (accountId: string, counter: number) => void took.run(counter, accountId),
    remove: (accountId: string) => void remove.run(accountId),
    useRecoveryCode: (accountId: string, hash: string) => useCode.run(accountId, hash).changes === 1,
    recoveryCodesLeft: (accountId: string) => Number(left.get(accountId)?.['count']),
  }
}
