import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockFolder } from '../../host/folder-lock.ts'
import { createPanel } from './panel.ts'
import { openWindow, testPorts } from './panel.fixture.ts'

const server = { connectionId: 'c', serverId: 's' }

async function folder() {
  const at = await mkdtemp(join(tmpdir(), 'kept-'))
  onTestFinished(() => rm(at, { recursive: true, force: true }))
  return at
}

async function open(dataDir: string) {
  const panel = await createPanel(testPorts(dataDir))
  onTestFinished(() => panel.close())
  return { panel, ...openWindow(panel) }
}

/** A panel's folder with a draft, a setting, a former content and console lines in it. */
async function used() {
  const dataDir = await folder()
  const panel = await createPanel(testPorts(dataDir))
  await openWindow(panel).call('settings.change', { theme: 'dark' })
  await panel.close()
  const db = new DatabaseSync(join(dataDir, 'cache.db'))
  const record = {
    id: 'c',
    kind: 'service',
    name: 'host',
    baseUrl: 'http://127.0.0.1:1/api/v1',
    tokenKept: 'none',
  }
  db.prepare('INSERT INTO connections VALUES (?, ?)').run(
    'c',
    JSON.stringify({ ...record, user: null, expiresAt: null }),
  )
  const draft = db.prepare('INSERT INTO drafts VALUES (?, ?, ?, ?, NULL, ?, ?)')
  for (let at = 0; at < 40; at++) draft.run('c', 's', `${at}.txt`, `text ${at} ${'x'.repeat(3000)}`, at, 3010)
  db.close()
  return dataDir
}

describe('a panel whose files are damaged', () => {
  it('begins its cache anew, says so until it is dismissed, and keeps the old file', async () => {
    const dataDir = await used()
    const file = join(dataDir, 'cache.db')
    const bytes = readFileSync(file)
    // One of the pages with drafts.
    const page = Math.floor(bytes.indexOf('text 20 x') / 4096)
    writeFileSync(file, bytes.fill(0xa5, page * 4096, page * 4096 + 100))
    const { call } = await open(dataDir)
    const [note, ...more] = await call('app.notes', undefined)
    expect(more).toEqual([])
    expect(note?.message).toContain(file)
    expect(note?.text?.key).toBe('kept.cache-anew')
    expect(await call('connections.list', undefined)).toEqual([])
    const [aside = ''] = readdirSync(join(dataDir, 'set aside'))
    expect(readFileSync(join(dataDir, 'set aside', aside, 'cache.db')).length).toBe(bytes.length)
    await call('app.dismiss-note', { id: note?.id ?? '' })
    expect(await call('app.notes', undefined)).toEqual([])
  })

  it('moves former contents of which the list is lost aside, instead of taking them for left over', async () => {
    const dataDir = await used()
    const name = '00000000-0000-4000-8000-000000000000'
    writeFileSync(join(dataDir, 'cache.db'), 'garbage')
    mkdirSync(join(dataDir, 'former contents'), { recursive: true })
    writeFileSync(join(dataDir, 'former contents', name), 'the only copy')
    const { call } = await open(dataDir)
    await call('app.notes', undefined)
    const moved = () =>
      readdirSync(join(dataDir, 'set aside'))
        .map((at) => join(dataDir, 'set aside', at, name))
        .find((file) => existsSync(file))
    await expect.poll(moved).toBeDefined()
    expect(readFileSync(moved() ?? '', 'utf8')).toBe('the only copy')
  })

  it('moves former contents aside of which the list was lost in an earlier run, and never removes them', async () => {
    const dataDir = await used()
    const name = '00000000-0000-4000-8000-000000000000'
    writeFileSync(join(dataDir, 'cache.db'), 'garbage')
    const first = await createPanel(testPorts(dataDir))
    await first.close()
    mkdirSync(join(dataDir, 'former contents'), { recursive: true })
    writeFileSync(join(dataDir, 'former contents', name), 'the only copy')
    const { call } = await open(dataDir)
    const moved = () =>
      readdirSync(join(dataDir, 'set aside')).filter((at) => existsSync(join(dataDir, 'set aside', at, name)))
    await expect.poll(moved).toHaveLength(1)
    expect(existsSync(join(dataDir, 'former contents', name))).toBe(false)
    // Nobody has read yet what happened to the list.
    const [note] = await call('app.notes', undefined)
    expect(note?.text?.key).toBe('kept.cache-anew')
    await call('app.dismiss-note', { id: note?.id ?? '' })
    const later = await createPanel(testPorts(dataDir))
    onTestFinished(() => later.close())
    expect(await openWindow(later).call('app.notes', undefined)).toEqual([])
  })

  it('forgets former contents of which the list was lost when a person signs out', async () => {
    const dataDir = await used()
    const { call } = await open(dataDir)
    const name = '00000000-0000-4000-8000-000000000000'
    mkdirSync(join(dataDir, 'former contents'), { recursive: true })
    writeFileSync(join(dataDir, 'former contents', name), 'secret')
    await call('connections.sign-out', { connectionId: 'c' })
    expect(existsSync(join(dataDir, 'former contents', name))).toBe(false)
    expect(existsSync(join(dataDir, 'set aside'))).toBe(false)
  })

  it('forgets what was set aside when a person signs out, which wipes the same from its files', async () => {
    const dataDir = await used()
    truncateSync(join(dataDir, 'transfers.db'), 0)
    const { call } = await open(dataDir)
    expect(existsSync(join(dataDir, 'set aside'))).toBe(true)
    await call('connections.sign-out', { connectionId: 'c' })
    expect(existsSync(join(dataDir, 'set aside'))).toBe(false)
  })

  it('begins its list of transfers anew, and keeps what waited to be sent with the old one', async () => {
    const dataDir = await used()
    mkdirSync(join(dataDir, 'spool', 'transfer'), { recursive: true })
    writeFileSync(join(dataDir, 'spool', 'transfer', '1'), 'bytes of a page')
    truncateSync(join(dataDir, 'transfers.db'), 0)
    const { call } = await open(dataDir)
    expect((await call('transfers.list', undefined)).items).toEqual([])
    expect((await call('app.notes', undefined)).map(({ text }) => text?.key)).toEqual(['kept.transfers-anew'])
    const [aside = ''] = readdirSync(join(dataDir, 'set aside'))
    const spooled = join(dataDir, 'set aside', aside, 'spool', 'transfer', '1')
    expect(readFileSync(spooled, 'utf8')).toBe('bytes of a page')
  })

  it('that cannot start lets go of everything: the folder can be taken, and nothing runs on', async () => {
    const dataDir = await used()
    const newer = new DatabaseSync(join(dataDir, 'transfers.db'))
    newer.exec('PRAGMA user_version = 900')
    newer.close()
    await expect(createPanel(testPorts(dataDir))).rejects.toMatchObject({
      code: 'data-from-the-future',
      message: expect.stringContaining(join(dataDir, 'transfers.db')),
    })
    // Nobody has the cache open any more: it can be locked as a whole.
    const cache = new DatabaseSync(join(dataDir, 'cache.db'), { timeout: 0 })
    cache.exec('PRAGMA journal_mode = DELETE')
    cache.close()
    await (await lockFolder(dataDir, 'panel')).release()
  })

  it('starts with settings, accounts and limits that are no JSON any more', async () => {
    const dataDir = await used()
    const cache = new DatabaseSync(join(dataDir, 'cache.db'))
    cache.exec(`UPDATE settings SET value = '{"theme":"da'; UPDATE connections SET record = '{"id":';
      INSERT INTO favourites VALUES ('c', 's', '["lo'); INSERT INTO views (key, connection_id, as_of, value)
      VALUES ('servers' || char(10) || 'c' || char(10), 'c', 'then', '{"items":[')`)
    cache.close()
    const transfers = new DatabaseSync(join(dataDir, 'transfers.db'))
    transfers.exec(`INSERT INTO settings VALUES ('limit', '{"limit":"x"')`)
    transfers.close()
    const { call } = await open(dataDir)
    expect((await call('settings.read', undefined)).theme).toBe('system')
    expect(await call('connections.list', undefined)).toEqual([])
    expect((await call('transfers.list', undefined)).limit).toBeNull()
  })

  it('says in words what it can no longer read while it runs', async () => {
    const dataDir = await used()
    const { call, until } = await open(dataDir)
    const file = join(dataDir, 'cache.db')
    const other = new DatabaseSync(file)
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    other.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xa5, 4096))
    const failed = call('files.keep-draft', {
      ...server,
      path: 'new',
      text: 'x'.repeat(9000),
      etag: null,
      at: 1,
    })
    await expect(failed).rejects.toMatchObject({
      problem: {
        code: 'internal',
        serviceCode: 'computer.database',
        text: { key: 'kept.damaged', values: { file } },
      },
    })
    await until('notes', (notes) => notes.some(({ text }) => text?.key === 'kept.damaged'))
    expect((await call('transfers.list', undefined)).items).toEqual([])
  })
})

describe('the built-in service with a database that cannot be read', () => {
  it('is started with its copy when a person says so, who is told what that means', async () => {
    const dataDir = await folder()
    const first = await createPanel(testPorts(dataDir))
    const window = openWindow(first)
    await window.call('connections.this-computer', undefined)
    await first.close()
    writeFileSync(join(dataDir, 'service', 'service.db'), 'garbage')

    const { call } = await open(dataDir)
    await expect(call('connections.this-computer', undefined)).rejects.toMatchObject({
      problem: { code: 'local-failed', serviceCode: 'local.restorable', text: { key: 'local.data-damaged' } },
    })
    const connection = await call('connections.restore-this-computer', undefined)
    expect(connection.state.kind).toBe('ready')
    expect((await call('app.notes', undefined)).map(({ text }) => text?.key)).toEqual(['local.restored'])
  })

  it('says which folders belong to no server', async () => {
    const dataDir = await folder()
    const first = await createPanel(testPorts(dataDir))
    const window = openWindow(first)
    await window.call('connections.this-computer', undefined)
    await first.close()
    mkdirSync(join(dataDir, 'service', 'servers', 'an old world'))
    const { call } = await open(dataDir)
    await call('connections.this-computer', undefined)
    const [note] = await call('app.notes', undefined)
    expect(note?.text?.key).toBe('local.orphans')
    expect(note?.message).toContain('an old world')
    expect(existsSync(join(dataDir, 'service', 'servers', 'an old world'))).toBe(true)
  })

  it('says which servers had no folder any more, by their names, and what to do', async () => {
    const dataDir = await folder()
    const first = await createPanel(testPorts(dataDir))
    const window = openWindow(first)
    const { id: connectionId } = await window.call('connections.this-computer', undefined)
    await first.close()
    const db = new DatabaseSync(join(dataDir, 'service', 'service.db'))
    const [owner] = db.prepare('SELECT id FROM accounts').all()
    db.prepare(
      `INSERT INTO servers (id, owner_id, name, software_id, software_version, memory_mb, port, created_at)
       VALUES ('01234567-89ab-cdef-0123-456789abcdef', ?, 'Castle', 'demo', '1', 512, 26000, 1)`,
    ).run(owner?.['id'] ?? null)
    db.close()
    const { call } = await open(dataDir)
    await call('connections.this-computer', undefined)
    const notes = await call('app.notes', undefined)
    expect(notes.map(({ text }) => text?.key)).toEqual(['local.emptied'])
    expect(notes[0]?.message).toMatch(/Castle \(01234567.*put them back/)
    expect(connectionId).toBe('local')
  })
})
