import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { RemoteMethods } from '../../base/worker-thread.ts'
import { fileMethods, openOrBeginAnew } from '../../storage/begin-anew.ts'
import { itemTable } from './item-table.ts'
import { migrations } from './migrations.ts'
import { queueFile } from './queue-file.ts'
import { UPLOAD_BUFFER } from './rows.ts'
import { transferTable } from './transfer-table.ts'

/** Starts over if damaged: an old copy would resend changed files. StartProblem for a newer version. */
const openFile = (file: string): DatabaseSync =>
  openOrBeginAnew(
    {
      ...{ file, name: 'The list of transfers', migrations, busyMs: 2000 },
      pragmas: 'PRAGMA secure_delete = ON',
    },
    [path.join(path.dirname(file), UPLOAD_BUFFER)],
  )

export function createTables(db: DatabaseSync) {
  const file = queueFile(db)
  return {
    ...transferTable(file),
    ...itemTable(file),
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

export function openTables(file: string) {
  const db = openFile(file)
  const { closeFile, ...methods } = fileMethods(db, file)
  return { ...createTables(db), ...methods, close: closeFile }
}

export type Tables = ReturnType<typeof openTables>
export type Store = RemoteMethods<Tables>
