import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { draftTable } from './draft-table.ts'
import { migrations } from './migrations.ts'

let db: DatabaseSync
const draft = (text: string, at = 1, etag: string | null = '"1"') => ({ text, etag, at })

beforeEach(() => {
  db = new DatabaseSync(':memory:')
  for (const step of migrations) db.exec(step)
})
afterEach(() => db.close())

it('keeps the last text of each file, and gives it to nobody else', () => {
  const drafts = draftTable(db)
  drafts.keepDraft('c', 's', 'a.yml', draft('one', 1))
  drafts.keepDraft('c', 's', 'a.yml', draft('世界 🌍', 2, null))
  drafts.keepDraft('c', 'other', 'a.yml', draft('elsewhere'))
  expect({ ...drafts.draft('c', 's', 'a.yml') }).toEqual({ text: '世界 🌍', etag: null, at: 2 })
  expect(drafts.draft('d', 's', 'a.yml')).toBeNull()
  drafts.discardDraft('c', 's', 'a.yml')
  expect(drafts.draft('c', 's', 'a.yml')).toBeNull()
  expect(drafts.draft('c', 'other', 'a.yml')?.text).toBe('elsewhere')
})

it('lets those kept longest go where all are too long together, but not the one that is written now', () => {
  const drafts = draftTable(db, 10)
  drafts.keepDraft('c', 's', 'old', draft('xxxx', 1))
  drafts.keepDraft('c', 's', 'new', draft('xxxx', 2))
  drafts.keepDraft('d', 's', 'newest', draft('xxxx', 3))
  expect(drafts.draft('c', 's', 'old')).toBeNull()
  expect(drafts.draft('c', 's', 'new')?.text).toBe('xxxx')
  drafts.keepDraft('c', 's', 'long', draft('x'.repeat(20), 4))
  expect(drafts.draft('c', 's', 'long')?.text).toHaveLength(20)
  expect(drafts.draft('d', 's', 'newest')).toBeNull()
})

it('never lets the one go that is written now, where the clock was set back either', () => {
  const drafts = draftTable(db, 10)
  drafts.keepDraft('c', 's', 'before', draft('xxxxxxxxxx', 1_000_000))
  drafts.keepDraft('c', 's', 'now', draft('xxxx', 5))
  expect(drafts.draft('c', 's', 'now')?.text).toBe('xxxx')
})

it('goes with a file or a folder that is renamed', () => {
  const drafts = draftTable(db)
  drafts.keepDraft('c', 's', 'plugins/a.yml', draft('a'))
  drafts.keepDraft('c', 's', 'plugins-2/a.yml', draft('b'))
  drafts.moveDrafts('c', 's', 'plugins', 'old/plugins')
  expect(drafts.draft('c', 's', 'old/plugins/a.yml')?.text).toBe('a')
  expect(drafts.draft('c', 's', 'plugins/a.yml')).toBeNull()
  drafts.moveDrafts('c', 's', 'plugins-2/a.yml', 'old/plugins/a.yml')
  expect(drafts.draft('c', 's', 'old/plugins/a.yml')?.text).toBe('b')
})
