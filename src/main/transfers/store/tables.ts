import type { DatabaseSync } from 'node:sqlite'
import { claimMethods } from './claim.ts'
import { collectMethods } from './collect-methods.ts'
import { itemMethods } from './item-methods.ts'
import { pageMethods } from './page-methods.ts'
import { queueFile } from './queue-file.ts'
import { stoppingMethods } from './stopping-methods.ts'
import { transferMethods } from './transfer-methods.ts'

export function createTables(db: DatabaseSync) {
  const file = queueFile(db)
  return {
    ...transferMethods(file),
    ...collectMethods(file),
    ...itemMethods(file),
    ...claimMethods(file),
    ...pageMethods(file),
    ...stoppingMethods(file),
    readSetting: (name: string) =>
      (db.prepare('SELECT value FROM settings WHERE name = ?').get(name) as { value: string } | undefined)
        ?.value ?? null,
    writeSetting: (name: string, value: string) =>
      void db
        .prepare(
          'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        )
        .run(name, value),
  }
}
