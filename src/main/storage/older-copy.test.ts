import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs' // prettier-ignore
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrations as cacheSteps } from '../views/cache/tables/migrations.ts'
import { openTables as openCache } from '../views/cache/tables/open-tables.ts'
import { migrations as transferSteps } from '../transfers/store/migrations.ts'
import { openTables as openTransfers } from '../transfers/store/open-tables.ts'

const databases = [
  { name: 'cache', steps: cacheSteps, open: openCache },
  { name: 'transfers', steps: transferSteps, open: openTransfers },
] as const

/** A database as a panel left it that knew all steps of the schema but the last, with a setting. */
async function older(name: string, steps: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'older-copy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, `${name}.db`)
  const db = new DatabaseSync(file)
  for (const step of steps.slice(0, -1)) db.exec(step)
  db.exec(`PRAGMA user_version = ${steps.length - 1}; INSERT INTO settings VALUES ('limit', 'of before')`)
  db.close()
  const copies = () => (existsSync(join(folder, 'copies')) ? readdirSync(join(folder, 'copies')) : [])
  return { folder, file, copies }
}

const versionOf = (file: string) => {
  const db = new DatabaseSync(file, { readOnly: true })
  const version = db.prepare('PRAGMA user_version').get()?.['user_version']
  db.close()
  return version
}

describe.each(databases)('a database of the panel: $name', ({ name, steps, open }) => {
  it('is copied before this version changes it, readable by this user alone, and only then', async () => {
    const { folder, file, copies } = await older(name, steps)
    const tables = await open(file)
    tables.close()
    expect(versionOf(file)).toBe(steps.length)
    expect(copies()).toHaveLength(1)
    const [copy = ''] = copies().map((one) => join(folder, 'copies', one))
    expect(copy).toContain(`${name} 2`)
    expect(versionOf(copy)).toBe(steps.length - 1)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    ;(await open(file)).close()
    expect(copies()).toHaveLength(1)
  })

  it('of a newer version is refused, and the way back by the copy does what is said', async () => {
    const { file, folder } = await older(name, steps)
    ;(await open(file)).close()
    const newer = new DatabaseSync(file)
    newer.exec(`UPDATE settings SET value = 'of later'; PRAGMA user_version = 999`)
    newer.close()
    const before = readFileSync(file)
    const refused: unknown = await open(file).catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'StartProblem', code: 'data-from-the-future' })
    expect(readFileSync(file).equals(before)).toBe(true)
    const [, from = '', copy = ''] =
      /Move (.*\.db) elsewhere, put (.*\.db) in its place/.exec(String(refused)) ?? []
    renameSync(from, join(folder, 'elsewhere'))
    copyFileSync(copy, from)
    const tables = await open(file)
    onTestFinished(() => tables.close())
    expect(tables.readSetting('limit')).toBe('of before')
  })

  it('of a newer version, without a copy that this one can use, names none', async () => {
    const { file, folder } = await older(name, steps)
    ;(await open(file)).close()
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 999')
    newer.close()
    for (const one of readdirSync(join(folder, 'copies')))
      writeFileSync(join(folder, 'copies', one), 'garbage')
    await expect(open(file)).rejects.toThrow(/with another --data folder\.$/)
    expect(readdirSync(folder).filter((one) => one.includes('.new'))).toEqual([])
  })

  it('is not changed where it cannot be copied first', async () => {
    const { file, folder } = await older(name, steps)
    writeFileSync(join(folder, 'copies'), 'a file in the place of the folder')
    await expect(open(file)).rejects.toMatchObject({
      code: 'data-not-readable',
      message: expect.stringMatching(
        /has to be copied before this version changes it.*Nothing in it was changed/,
      ),
    })
    expect(versionOf(file)).toBe(steps.length - 1)
  })
})
