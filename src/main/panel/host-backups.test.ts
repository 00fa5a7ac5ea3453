import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { KEY } from '../../../tests/doubles/hosts/pterodactyl/panel.ts'
import { signedIn } from './pterodactyl.fixture.ts'

/** A backup of 6 MiB at the host, with the checksum of its bytes. */
async function withBackup() {
  const opened = await signedIn()
  const { server, folder, downloadsFolder, ref, call, until } = opened
  const file = path.join(folder, 'archive')
  const bytes = randomBytes(6 * 1024 * 1024)
  writeFileSync(file, bytes)
  const checksum = `sha1:${createHash('sha1').update(bytes).digest('hex')}`
  const backup = { uuid: 'b-1', name: 'Before the event', locked: false, done: true, file, checksum }
  server.backups.push(backup)
  const saved = () => readdirSync(downloadsFolder).map((name) => path.join(downloadsFolder, name))
  return {
    ...{ ...opened, bytes, backup, saved },
    async save() {
      await call('backups.save', { ...ref, backup: backup.uuid })
      const { items } = await until('transfers', ({ items: all }) =>
        all.some(({ endedAt }) => endedAt !== null),
      )
      return items[0]!
    },
  }
}

test('a backup of the host is saved in one file, and the key does not go to where it lies', async () => {
  const { save, bytes, saved, host } = await withBackup()
  const name = 'Before the event.tar.gz'
  expect(await save()).toMatchObject({ state: 'done', name, bytesDone: bytes.length })
  const [file] = saved()
  expect(path.basename(file!)).toBe(name)
  expect(readFileSync(file!).equals(bytes)).toBe(true)
  expect(statSync(file!).mtime.toISOString()).toBe('2026-11-01T10:00:00.000Z')
  expect(JSON.stringify(host.wings.heard)).not.toContain(KEY)
})

test.each([true, false])(
  'one that broke off is whole in the end; the host sends parts: %s',
  async (hasRanges) => {
    const { save, bytes, saved, host } = await withBackup()
    Object.assign(host.wings, { hasRanges, cutAfter: 5 * 1024 * 1024 })
    expect(await save()).toMatchObject({ state: 'done', problem: null })
    expect(readFileSync(saved()[0]!).equals(bytes)).toBe(true)
    expect(JSON.stringify(host.wings.heard)).toMatch(/"range":"bytes=[1-9]\d+-"/)
  },
)

test('one whose bytes differ from the checksum is discarded', async () => {
  const { save, backup, call, saved } = await withBackup()
  backup.checksum = `sha1:${'0'.repeat(40)}`
  const { id, state } = await save()
  expect(state).toBe('failed')
  const { items } = await call('transfers.items', { transferId: id, only: 'failed', offset: 0, limit: 10 })
  expect(items[0]?.problem?.message).toContain('match its checksum')
  expect(saved()).toEqual([])
})

describe('with the copies of a server, its backups at the host', () => {
  /** Copies once. `count`: of copies then. */
  async function copied({ call, until, ref }: Awaited<ReturnType<typeof withBackup>>, count: number) {
    await call('copies.begin', ref)
    await until('copies', ({ now }) => now.running === null && now.copies.length === count)
    return await call('copies.read', ref)
  }

  test('are saved once, also after a cut', async () => {
    const opened = await withBackup()
    const { call, ref, bytes, files, data, host, server } = opened
    writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n')
    server.state = 'offline'
    expect((await copied(opened, 1)).hostBackups).toEqual({ on: false, count: 0, bytes: 0, problem: null })
    await call('copies.change', { ...ref, hostBackups: true })
    Object.assign(host.wings, { hasRanges: true, cutAfter: 5 * 1024 * 1024 })
    const { hostBackups, folder } = await copied(opened, 2)
    expect(hostBackups).toEqual({ on: true, count: 1, bytes: bytes.length, problem: null })
    expect(folder.path.startsWith(data)).toBe(true)
    const names = readdirSync(folder.path, { recursive: true }).map(String)
    const [saved] = names.filter((name) => name.includes('host backups/'))
    expect(saved).toMatch(/2026-11-01 10\.00\.00 b-1\.tar\.gz$/)
    expect(readFileSync(path.join(folder.path, saved!)).equals(bytes)).toBe(true)
    expect(JSON.stringify(host.wings.heard)).toMatch(/"range":"bytes=[1-9]\d+-"/)
    const asked = host.wings.heard.length
    await copied(opened, 3)
    expect(host.wings.heard).toHaveLength(asked)
  })

  test('are discarded if they differ from the checksum, and the copy is made all the same', async () => {
    const opened = await withBackup()
    const { call, ref, backup, files, server } = opened
    writeFileSync(path.join(files, 'server.properties'), 'motd=Hello\n')
    server.state = 'offline'
    backup.checksum = `sha1:${'0'.repeat(40)}`
    await call('copies.change', { ...ref, hostBackups: true })
    const { hostBackups, last } = await copied(opened, 1)
    expect(hostBackups).toMatchObject({ count: 0, problem: { code: 'incompatible' } })
    expect(last?.problem).toBeNull()
  })
})
