import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_SFTP } from '../../../../tests/fixtures/sftp-server.ts'
import { bytesBelow } from '../../files/odd-names.fixture.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { NO_RESTIC, restic } from '../restic/restic.fixture.ts'
import { quiet } from '../store-contract.fixture.ts'
import { openRest, openSftp, openTargets, rclone } from './targets.fixture.ts'

const never = () => new AbortController().signal
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code,
  )

const without = (what: string, isThere: unknown) =>
  !restic ? `: ${NO_RESTIC}` : isThere ? '' : `: ${what} is not here`

const SECRET = 'correct horse battery staple'

describe.skipIf(!restic)(`places for copies of backups${without('', true)}`, () => {
  it('a folder gets each backup, loses deleted ones, and is read on another computer by its password alone', async () => {
    const here = await openTargets()
    const place = { kind: 'folder', path: await temporaryFolder() } as const
    const { row, password } = await here.targets.add({ name: 'Disk', place }, never())
    expect(await here.targets.view(row)).toMatchObject({ kind: 'folder', location: place.path, error: null })
    const first = await here.backUp('first')
    here.choose(row.id)
    await here.copied()
    const second = await here.backUp('second')
    await here.copied()
    const at = (id: string) => here.targets.copiesOf(here.serverId).get(id)
    expect([at(first), at(second)]).toEqual([
      [{ id: row.id, name: 'Disk', error: null }],
      [{ id: row.id, name: 'Disk', error: null }],
    ])
    await here.engine.store!(here.serverId).remove([first], quiet())
    here.store.backupTargets.unwant(here.serverId, first)
    here.store.backups.remove(here.serverId, first)
    await here.copied()

    const there = await openTargets('Another')
    const wish = { name: 'Old disk', place }
    expect(await codeOf(there.targets.add(wish, never()))).toBe('backups.target-password')
    expect(await codeOf(there.targets.add({ ...wish, password: 'wrong' }, never()))).toBe(
      'backups.target-password',
    )
    expect(there.targets.all()).toEqual([])
    const { row: again } = await there.targets.add({ ...wish, password }, never())
    const found = await there.targets.within(again.id, (target) => target.backups(never()))
    expect(found).toMatchObject([
      {
        id: second,
        server: { id: here.serverId, name: 'Mine', memoryMb: 1024 },
        software: { id: 'paper' },
        files: 1,
      },
    ])
    const to = await temporaryFolder()
    await there.targets.within(again.id, (target) => target.extract(second, to, quiet()))
    expect(bytesBelow(to)).toEqual(bytesBelow(here.folder))
    // Another computer's backups stay.
    const own = await there.backUp('own')
    there.choose(again.id)
    await there.copied()
    there.store.backupTargets.unwant(there.serverId, own)
    there.store.backups.remove(there.serverId, own)
    await there.copied()
    const left = await here.targets.within(row.id, (target) => target.backups(never()))
    expect(left.map(({ id }) => id)).toEqual([second])
  })

  it('a disk that is not connected is not taken for an empty one, and gets what it missed', async () => {
    const { targets, choose, backUp, copied, serverId, failed } = await openTargets()
    const folder = path.join(await temporaryFolder(), 'disk')
    await mkdir(folder)
    const { row } = await targets.add({ name: 'Disk', place: { kind: 'folder', path: folder } }, never())
    choose(row.id)
    await rename(folder, `${folder}-away`)
    const id = await backUp('one')
    await copied()
    expect(existsSync(folder)).toBe(false)
    expect(targets.copiesOf(serverId).get(id)).toMatchObject([{ error: { code: 'backups.store-missing' } }])
    expect(failed).toEqual(['Disk'])
    expect(targets.find(row.id).error).toMatchObject({ code: 'backups.store-missing' })
    await rename(`${folder}-away`, folder)
    await copied()
    expect(targets.copiesOf(serverId).get(id)).toMatchObject([{ error: null }])
    expect(targets.find(row.id).error).toBe(null)
  })

  it('keeps its password when it is removed, and says what cannot be added', async () => {
    const { targets, dataDir, store, serverId, choose } = await openTargets()
    const folder = await temporaryFolder()
    const { row, password } = await targets.add(
      { name: 'Disk', place: { kind: 'folder', path: folder } },
      never(),
    )
    choose(row.id)
    await targets.remove(row.id)
    expect(store.backups.settings(serverId).targets).toEqual([])
    expect(await readdir(path.join(dataDir, 'targets'))).toEqual(['removed'])
    const kept = path.join(dataDir, 'targets', 'removed', `${row.id}.txt`)
    expect(await readFile(kept, 'utf8')).toBe(`Disk: ${folder}\n${password}\n`)
    const absent = { kind: 'folder', path: path.join(folder, 'absent') } as const
    expect(await codeOf(targets.add({ name: 'No', place: absent }, never()))).toBe('backups.target-no-folder')
    const b2 = { kind: 'b2', bucket: 'bucket', prefix: '', keyId: 'key' } as const
    expect(await codeOf(targets.add({ name: 'No', place: b2 }, never()))).toBe('backups.target-secret')
  })

  it.skipIf(NO_SFTP !== null)(
    `SFTP with a key made here: waits for it to be accepted, and trusts one host key${NO_SFTP === null ? '' : `: ${NO_SFTP}`}`,
    async () => {
      const sftp = await openSftp()
      const { targets, choose, backUp, copied, serverId, folder } = await openTargets()
      const place = {
        kind: 'sftp',
        host: '127.0.0.1',
        user: 'root',
        port: sftp.port,
        path: sftp.folder,
      } as const
      const { row } = await targets.add({ name: 'Box', place }, never())
      const { publicKey } = await targets.view(row)
      expect(publicKey).toMatch(/^ssh-ed25519 \S+ wheelhouse$/)
      expect((await targets.check(row.id, never())).error).toMatchObject({ code: 'backups.target-denied' })
      await sftp.accept(publicKey!)
      expect((await targets.check(row.id, never())).error).toBe(null)
      expect((await targets.view(row)).hostKey).toMatch(/^SHA256:/)
      choose(row.id)
      await sftp.changeHostKey()
      const first = await backUp('one')
      await copied()
      const failure = [{ error: { code: 'backups.host-key-changed' } }]
      expect(targets.copiesOf(serverId).get(first)).toMatchObject(failure)
      await targets.change(row.id, { trustNewHostKey: true })
      await copied()
      expect(targets.copiesOf(serverId).get(first)).toMatchObject([{ error: null }])

      // The host goes away in the middle, and comes back.
      await writeFile(path.join(folder, 'large'), randomBytes(60_000_000))
      const second = await backUp('two')
      const cut = sftp.line.cutAfter(20_000_000)
      await copied()
      await cut
      const gone = [{ error: { code: 'backups.target-not-reached' } }]
      expect(targets.copiesOf(serverId).get(second)).toMatchObject(gone)
      await sftp.line.mend()
      await copied()
      expect(targets.copiesOf(serverId).get(second)).toMatchObject([{ error: null }])
      const to = await temporaryFolder()
      await targets.within(row.id, (target) => target.extract(second, to, quiet()))
      expect(bytesBelow(to)).toEqual(bytesBelow(folder))

      await sftp.line.cut()
      expect((await targets.check(row.id, never())).error).toMatchObject({
        code: 'backups.target-not-reached',
      })
    },
  )

  it.skipIf(!rclone)(
    `a REST server with a password, which is in no argument, answer or message${without('rclone', rclone)}`,
    async () => {
      const rest = await openRest('me', SECRET)
      const { targets, choose, backUp, copied, serverId, dataDir } = await openTargets()
      const place = { kind: 'rest', url: rest.url, user: 'me' } as const
      const wrong = await targets
        .add({ name: 'Rest', place, secret: 'wrong' }, never())
        .catch((error: unknown) => error)
      expect(wrong).toMatchObject({ code: 'backups.target-denied' })
      const { row } = await targets.add({ name: 'Rest', place, secret: SECRET }, never())
      choose(row.id)
      const id = await backUp('one')
      await copied()
      expect(targets.copiesOf(serverId).get(id)).toMatchObject([{ error: null }])
      expect(JSON.stringify([row, await targets.view(targets.find(row.id))])).not.toMatch(/horse/)
      const modes = execFileSync('find', [path.join(dataDir, 'targets'), '-name', 'secret', '-perm', '600'])
      expect(modes.toString().trim().split('\n')).toHaveLength(1)
    },
  )

  it.skipIf(!rclone)(`what rclone reaches${without('rclone', rclone)}`, async () => {
    const { targets, choose, backUp, copied, serverId } = await openTargets()
    const folder = await temporaryFolder()
    const place = { kind: 'rclone', remote: `disk:${folder}` } as const
    const secret = '[disk]\ntype = local\n'
    const other = await targets
      .add({ name: 'Rclone', place, secret: '[other]\ntype = local\n' }, never())
      .catch((error: unknown) => error)
    expect(other).toMatchObject({ code: 'backups.target-denied' })
    const { row } = await targets.add({ name: 'Rclone', place, secret }, never())
    choose(row.id)
    const id = await backUp('one')
    await copied()
    expect(targets.copiesOf(serverId).get(id)).toMatchObject([{ error: null }])
    expect(await readdir(folder)).toEqual(['wheelhouse-backups'])
  })
})
