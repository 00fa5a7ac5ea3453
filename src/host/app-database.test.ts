import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs' // prettier-ignore
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { closeDatabase, migrate, openDatabase, transaction, UnusableDatabase } from './app-database.ts'
import { StartProblem } from './start-problem.ts'
import { temporary } from './temporary.fixture.ts'

const migrations = [
  'CREATE TABLE things (name TEXT NOT NULL) STRICT',
  'CREATE INDEX by_name ON things (name)',
]
const made = (file: string) => ({ file, name: 'The list', migrations, busyMs: 0 })

/** A database of two thousand things, as a program that ended properly leaves it. */
function whole(): string {
  const file = join(temporary(), 'things.db')
  const db = openDatabase(made(file))
  const put = db.prepare('INSERT INTO things VALUES (?)')
  transaction(db, () => {
    for (let at = 0; at < 2000; at++) put.run(`thing ${at} ${'x'.repeat(50)}`)
  })
  closeDatabase(db, file)
  return file
}

const count = (file: string): unknown => {
  const db = openDatabase(made(file))
  const n = db.prepare('SELECT count(*) AS n FROM things').get()?.['n']
  closeDatabase(db, file)
  return n
}

function overwrite(file: string, at: number, bytes: number): void {
  const content = readFileSync(file)
  writeFileSync(file, content.fill(0xa5, at, at + bytes))
}

function replace(file: string): string {
  rmSync(file)
  return file
}

const damages: [string, (file: string) => void, string][] = [
  ['garbage', (file) => writeFileSync(file, 'no database at all '.repeat(999)), 'damaged'],
  ['another header', (file) => overwrite(file, 0, 16), 'damaged'],
  ['a page of garbage', (file) => overwrite(file, 4096 * 3, 4096), 'damaged'],
  ['another kind of page', (file) => overwrite(file, 4096 * 5, 1), 'damaged'],
  ['half of it', (file) => truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096), 'damaged'],
  ['fifty bytes of it', (file) => truncateSync(file, 50), 'damaged'],
  ['no byte', (file) => truncateSync(file, 0), 'empty'],
  ['a folder', (file) => mkdirSync(replace(file)), 'not-a-file'],
  ['a link to itself', (file) => symlinkSync(file, replace(file)), 'not-a-file'],
  ['a FIFO', (file) => execFileSync('mkfifo', [replace(file)]), 'not-a-file'],
  ['only its log', (file) => writeFileSync(`${replace(file)}-wal`, 'left behind'), 'missing'],
  [
    'a database without a table',
    (file) => {
      const db = new DatabaseSync(replace(file))
      db.exec('PRAGMA journal_mode = WAL; VACUUM')
      db.close()
    },
    'empty',
  ],
]

describe('a database of ours', () => {
  it.each(damages)(
    'that is %s is told with its name, and nothing is done to it',
    (_what, damage, fault) => {
      const file = whole()
      damage(file)
      const size = lstatSync(file, { throwIfNoEntry: false })?.size
      const error = failure(() => openDatabase(made(file)))
      expect(error).toBeInstanceOf(UnusableDatabase)
      expect(error).toMatchObject({ fault })
      expect(error.message).toContain(file)
      expect(lstatSync(file, { throwIfNoEntry: false })?.size).toBe(size)
    },
    20_000,
  )

  it('that lacks the end of a text is damaged, although SQLite finds no fault', () => {
    const file = join(temporary(), 'things.db')
    const texts = { ...made(file), migrations: migrations.slice(0, 1) }
    const db = openDatabase(texts)
    db.exec("INSERT INTO things VALUES ('the only one')")
    closeDatabase(db, file)
    truncateSync(file, statSync(file).size - 1)
    expect(failure(() => openDatabase(texts))).toMatchObject({ fault: 'damaged' })
  })

  it('of a newer version is no fault of the file: it is told as such and stays as it is', () => {
    const file = whole()
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 3')
    newer.close()
    const error = failure(() => openDatabase(made(file)))
    expect(error).toBeInstanceOf(StartProblem)
    expect(error).toMatchObject({ code: 'data-from-the-future' })
    expect(error.message).toContain(file)
  })

  it('that another program has locked is not taken for damaged', () => {
    const file = whole()
    const holder = new DatabaseSync(file)
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    const error = failure(() => openDatabase(made(file)))
    holder.close()
    expect(error).toBeInstanceOf(StartProblem)
    expect(error.message).toMatch(/another program has locked it/)
    expect(count(file)).toBe(2000)
  })

  it.each(['-wal', '-shm'])('is opened although a folder stands where SQLite keeps its %s', (beside) => {
    const file = whole()
    mkdirSync(file + beside)
    expect(count(file)).toBe(2000)
  })

  it('is opened whatever stands in its log', () => {
    const file = whole()
    writeFileSync(`${file}-wal`, 'no log at all '.repeat(500))
    writeFileSync(`${file}-shm`, 'no index at all '.repeat(500))
    expect(count(file)).toBe(2000)
  })

  it('is made whole or not at all', () => {
    const file = join(temporary(), 'things.db')
    const broken = { ...made(file), migrations: [...migrations, 'CREATE TABLE things (again TEXT)'] }
    expect(() => openDatabase(broken)).toThrow(StartProblem)
    expect(existsSync(file)).toBe(false)
    expect(count(file)).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('with a step that fails is as it was before that step', () => {
    const file = whole()
    const broken = {
      ...made(file),
      migrations: [...migrations, 'CREATE TABLE more (a TEXT); CREATE TABLE things (b TEXT)'],
    }
    const db = openDatabase(broken)
    expect(() => migrate(db, broken)).toThrow(`${file} contradicts itself (table things already exists).`)
    expect(count(file)).toBe(2000)
  })

  it('that was deleted while it was in use is written again when it is closed', () => {
    const file = whole()
    const db = openDatabase(made(file))
    for (const beside of ['', '-wal', '-shm']) rmSync(file + beside)
    db.prepare('INSERT INTO things VALUES (?)').run('new')
    closeDatabase(db, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(count(file)).toBe(2001)
  })

  it('that was replaced while it was in use leaves what stands there now alone', () => {
    const file = whole()
    const db = openDatabase(made(file))
    for (const beside of ['', '-wal', '-shm']) rmSync(file + beside)
    writeFileSync(file, 'somebody else')
    closeDatabase(db, file)
    expect(readFileSync(file, 'utf8')).toBe('somebody else')
  })
})

function failure(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not fail.')
}
