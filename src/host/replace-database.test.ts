import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { replaceDatabase } from './replace-database.ts'
import { temporary } from './temporary.fixture.ts'

const opened = (file: string) => {
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS notes (text)')
  return db
}
const notesIn = (db: DatabaseSync) =>
  db
    .prepare('SELECT text FROM notes')
    .all()
    .map(({ text }) => text)

test.skipIf(process.platform === 'win32')(
  'what its former holder writes late is nowhere in the database, and nothing from before is missing',
  () => {
    const file = join(temporary(), 'service.db')
    const former = opened(file)
    former.exec(
      "INSERT INTO notes VALUES ('checkpointed'); PRAGMA wal_checkpoint; INSERT INTO notes VALUES ('logged')",
    )
    replaceDatabase(file)
    const ours = opened(file)
    ours.exec("INSERT INTO notes VALUES ('ours')")
    former.exec("INSERT INTO notes VALUES ('late'); PRAGMA wal_checkpoint(TRUNCATE)")
    ours.exec("INSERT INTO notes VALUES ('ours, later')")
    expect(notesIn(ours)).toEqual(['checkpointed', 'logged', 'ours', 'ours, later'])
    expect(ours.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  },
)
