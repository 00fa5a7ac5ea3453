import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { NO_DISK } from '../../../../tests/faults/small-disk.ts'
import { bytesBelow } from '../../files/odd-names.fixture.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import { smallDisk } from '../../small-disk.fixture.ts'
import { folderBytes, folderSource, hardFolder, quiet } from '../store-contract.fixture.ts'
import { startedAtOnce } from '../../runtime/processes/process-table.ts'
import { RunFiles } from '../../runtime/processes/survivors.ts'
import { askRestic, environmentOf, places, restic, resticStore } from './restic.fixture.ts'

const FIRST = '00000000-0000-4000-8000-000000000001'
const SECOND = '00000000-0000-4000-8000-000000000002'
const ON_LINUX = process.platform === 'linux'

const codeOf = (error: unknown) => (error as { code?: string }).code

const coded = async (work: Promise<unknown>) => work.then(() => 'nothing', codeOf)

/** Files that take restic a while. */
function addRegions(root: string, count: number): void {
  for (let at = 1; at <= count; at++)
    writeFileSync(path.join(root, `world/region/r.${at}.mca`), randomBytes(4_000_000))
}

/** Processes that were started with this repository, by what /proc says. */
function resticProcesses(folder: string): number[] {
  const repository = `RESTIC_REPOSITORY=${path.join(places(folder).folder, 'repository')}`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(repository)
          ? [Number(name)]
          : []
      } catch {
        return []
      }
    })
}

describe.skipIf(!restic)('a repository of restic', () => {
  test('is opened by its password alone, which only its user can read and no other program sees', async () => {
    const folder = await temporaryFolder()
    const [watched, log] = [path.join(folder, 'watched'), path.join(folder, 'watched.log')]
    writeFileSync(
      watched,
      `#!/bin/sh\n{ printf 'arguments %s\\n' "$*"; env; } >> '${log}'\nexec '${restic!.executable}' "$@"\n`,
      { mode: 0o700 },
    )
    process.env.SOMEBODYS_SECRET = 'not for restic'
    await resticStore(folder, watched).save(FIRST, folderSource(await hardFolder()), quiet())
    delete process.env.SOMEBODYS_SECRET
    const { passwordFile } = places(folder)
    const password = readFileSync(passwordFile, 'utf8').trim()
    expect(Buffer.from(password, 'base64url')).toHaveLength(32)
    expect(statSync(passwordFile).mode & 0o777).toBe(0o600)
    const seen = readFileSync(log, 'utf8')
    expect(seen).toMatch(/^arguments .*backup/m)
    expect(seen).toContain(`\nRESTIC_PASSWORD_FILE=${passwordFile}\n`)
    expect(seen).not.toContain(password)
    expect(seen).not.toMatch(/SOMEBODYS_SECRET|^HOME=/m)
  })

  test.skipIf(process.platform === 'win32')(
    'reading a file takes one run of restic, also after a removal',
    async () => {
      const folder = await temporaryFolder()
      const log = path.join(folder, 'log')
      const watched = path.join(folder, 'restic')
      const lines = `#!/bin/sh\necho "$*" >> '${log}'\nexec '${restic!.executable}' "$@"\n`
      writeFileSync(watched, lines, { mode: 0o700 })
      const store = resticStore(folder, watched)
      const root = await hardFolder()
      for (const id of [FIRST, SECOND]) await store.save(id, folderSource(root), quiet())
      const runsToRead = async () => {
        writeFileSync(log, '')
        await buffer(await store.read(SECOND, 'plain.txt'))
        return readFileSync(log, 'utf8').trim().split('\n').length
      }
      expect(await runsToRead()).toBe(1)
      await store.remove([FIRST], quiet())
      expect(await runsToRead()).toBe(1)
    },
  )

  test('a wrong or missing password is said, and never replaced by a new one', async () => {
    const folder = await temporaryFolder()
    const root = await hardFolder()
    await resticStore(folder).save(FIRST, folderSource(root), quiet())
    const { passwordFile } = places(folder)
    renameSync(passwordFile, `${passwordFile}.kept`)
    expect(await coded(resticStore(folder).ids())).toBe('backups.password-missing')
    expect(await coded(resticStore(folder).save(SECOND, folderSource(root), quiet()))).toBe(
      'backups.password-missing',
    )
    writeFileSync(passwordFile, 'another\n')
    expect(await coded(resticStore(folder).ids())).toBe('backups.wrong-password')
    expect(await coded(resticStore(folder).save(SECOND, folderSource(root), quiet()))).toBe(
      'backups.wrong-password',
    )
    renameSync(`${passwordFile}.kept`, passwordFile)
    expect(await resticStore(folder).ids()).toEqual([FIRST])
  })

  test('says that it is gone, damaged or without restic', async () => {
    const folder = await temporaryFolder()
    const store = resticStore(folder)
    await store.save(FIRST, folderSource(await hardFolder()), quiet())
    const repository = path.join(places(folder).folder, 'repository')
    const index = path.join(repository, 'index')
    const names = readdirSync(index)
    expect(names).toHaveLength(2)
    // One of the server's folder, one of the list.
    const found = []
    for (const name of names) {
      renameSync(path.join(index, name), path.join(folder, name))
      found.push(await store.check(FIRST, quiet()).then(({ damaged }) => damaged.length > 10, codeOf))
      renameSync(path.join(folder, name), path.join(index, name))
    }
    expect(new Set(found)).toEqual(new Set([true, 'backups.damaged']))
    for (const name of names) rmSync(path.join(index, name))
    expect(await coded(store.extract(FIRST, null, await temporaryFolder(), quiet()))).toBe('backups.damaged')
    renameSync(repository, `${repository}.away`)
    expect(await coded(resticStore(folder).ids())).toBe('backups.store-missing')
    expect(await coded(store.check(FIRST, quiet()))).toBe('backups.store-missing')
    renameSync(`${repository}.away`, repository)
    expect(await coded(resticStore(folder, '/nowhere/restic').ids())).toBe('backups.restic-missing')
  })

  test.runIf(ON_LINUX)(
    'restic killed in the middle leaves no backup, and no lock that stops the next',
    async () => {
      const folder = await temporaryFolder()
      const store = resticStore(folder)
      const root = await hardFolder()
      await store.save(FIRST, folderSource(root), quiet())
      addRegions(root, 8)
      const slow = path.join(folder, 'slow')
      writeFileSync(slow, `#!/bin/sh\nexec '${restic!.executable}' --limit-upload 4000 "$@"\n`, {
        mode: 0o755,
      })
      const killed: number[] = []
      const progress = (done: number) => {
        if (done < 1_000_000 || killed.length > 0) return
        killed.push(...resticProcesses(folder))
        for (const pid of killed) process.kill(pid, 'SIGKILL')
      }
      const saving = resticStore(folder, slow).save(SECOND, folderSource(root), { ...quiet(), progress })
      expect(await coded(saving)).toBe('backups.restic-failed')
      expect(killed).toHaveLength(1)
      expect(await store.ids()).toEqual([FIRST])
      expect(readdirSync(path.join(places(folder).folder, 'repository/locks'))).toEqual([])
      await store.save(SECOND, folderSource(root), quiet())
      expect(await store.check(SECOND, quiet())).toEqual({ damaged: [] })
    },
  )

  test.runIf(ON_LINUX)('a lock counts while its holder lives, and is removed once it is gone', async () => {
    const folder = await temporaryFolder()
    const store = resticStore(folder)
    const root = await hardFolder()
    await store.save(FIRST, folderSource(root), quiet())
    const locks = path.join(places(folder).folder, 'repository/locks')
    // Waits for what to save, with its lock.
    const holder = spawn(restic!.executable, ['backup', '--stdin'], {
      env: environmentOf(folder),
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    await expect.poll(() => readdirSync(locks).length).toBe(1)
    expect(await coded(store.remove([FIRST], quiet()))).toBe('backups.in-use')
    expect(await store.ids()).toEqual([FIRST])
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(readdirSync(locks)).toHaveLength(1)
    await store.remove([FIRST], quiet())
    expect(await store.ids()).toEqual([])
  })

  test('what a killed service left is no backup, and goes with the next removal', async () => {
    const folder = await temporaryFolder()
    const root = await hardFolder()
    const store = resticStore(folder)
    await store.save(FIRST, folderSource(root), quiet())
    const before = folderBytes(path.join(places(folder).folder, 'repository'))
    addRegions(root, 2)
    // As far as a backup is before it has its list.
    askRestic(folder, 'backup', '--host', 'wheelhouse', '--tag', 'files', root)
    // Somebody's own.
    askRestic(folder, 'backup', path.join(root, 'plain.txt'))
    const work = path.join(places(folder).folder, 'work')
    for (const name of ['beside/copies', 'temporary/restored'])
      mkdirSync(path.join(work, name), { recursive: true })
    expect(await resticStore(folder).ids()).toEqual([FIRST])
    await resticStore(folder).remove([], quiet())
    expect(folderBytes(path.join(places(folder).folder, 'repository')) - before).toBeLessThan(50_000)
    await resticStore(folder).save(SECOND, folderSource(root), quiet())
    expect(bytesBelow(work)).toEqual({ run: 'folder', temporary: 'folder' })
    const all = JSON.parse(askRestic(folder, 'snapshots', '--json')) as { tags?: string[] }[]
    expect(all.filter(({ tags }) => tags === undefined)).toHaveLength(1)
    expect(all).toHaveLength(5)
  })

  test.runIf(ON_LINUX)(
    'what a killed service began is ended and swept by the next one, and only then',
    async () => {
      const folder = await temporaryFolder()
      const root = await hardFolder()
      await resticStore(folder).save(FIRST, folderSource(root), quiet())
      askRestic(folder, 'backup', '--host', 'wheelhouse', '--tag', 'files', root)
      expect(await resticStore(folder).sweep(false)).toBe(false)
      // It goes on without the service, and has its lock.
      const { folder: store } = places(folder)
      const program = spawn(restic!.executable, ['backup', '--stdin'], {
        ...{ env: environmentOf(folder), detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
      })
      const ended = once(program, 'exit')
      const runs = new RunFiles(path.join(store, 'work'))
      runs.write('one', { pid: program.pid!, started: startedAtOnce(program.pid!) })
      await expect.poll(() => readdirSync(path.join(store, 'repository/locks')).length).toBe(1)
      writeFileSync(path.join(store, 'unfinished'), '')
      const next = resticStore(folder)
      expect(await next.sweep(false)).toBe(true)
      await ended
      expect(JSON.parse(askRestic(folder, 'snapshots', '--json'))).toHaveLength(2)
      expect(await next.ids()).toEqual([FIRST])
      expect(await next.sweep(false)).toBe(false)
    },
  )

  test.skipIf(process.platform === 'win32')(
    'what a killed service left is swept once a restic that nobody knows of is done',
    async () => {
      const folder = await temporaryFolder()
      await resticStore(folder).save(FIRST, folderSource(await hardFolder()), quiet())
      const { folder: store } = places(folder)
      const locks = path.join(store, 'repository/locks')
      const unknown = spawn(restic!.executable, ['backup', '--stdin'], {
        ...{ env: environmentOf(folder), stdio: ['pipe', 'ignore', 'ignore'] },
      })
      await expect.poll(() => readdirSync(locks).length).toBe(1)
      writeFileSync(path.join(store, 'unfinished'), '')
      const calls = path.join(folder, 'calls')
      const noted = path.join(folder, 'noted')
      writeFileSync(noted, `#!/bin/sh\necho "$1" >> '${calls}'\nexec '${restic!.executable}' "$@"\n`, {
        mode: 0o755,
      })
      const swept = resticStore(folder, noted).sweep(false)
      // It has found the lock, and that its holder lives.
      await expect.poll(() => existsSync(calls) && readFileSync(calls, 'utf8')).toContain('unlock')
      unknown.stdin.end()
      expect(await swept).toBe(true)
      expect(existsSync(path.join(store, 'unfinished'))).toBe(false)
    },
  )

  test.skipIf(process.platform === 'win32')('what restic could not read is read again', async () => {
    const folder = await temporaryFolder()
    const root = await hardFolder()
    const errors = ['plain.txt', 'plugins/deep', 'none'].map((at) => {
      const said = { message_type: 'error', error: {}, during: 'archival', item: `${root}/${at}` }
      return `echo '${JSON.stringify(said)}' >&2`
    })
    const shim = path.join(folder, 'restic')
    const restricted = `case "$*" in *--exclude-file*) ${errors.join(';')}; "$0.real" "$@"; exit 3;; esac`
    writeFileSync(shim, `#!/bin/sh\n${restricted}\nexec "$0.real" "$@"\n`, { mode: 0o755 })
    symlinkSync(restic!.executable, `${shim}.real`)
    const store = resticStore(folder, shim)
    expect((await store.save(FIRST, folderSource(root), quiet())).missing).toEqual([])
    expect((await store.list(FIRST, 'plugins/deep/er')).map(({ path: at }) => at)).toEqual([
      'plugins/deep/er/config.yml',
    ])
    const copied = askRestic(folder, 'ls', 'latest', '--tag', FIRST).split('\n')
    for (const at of ['plain.txt', 'plugins/deep/er/config.yml'])
      expect(
        copied.filter((line) => line.endsWith(`/copies/${at}`)),
        at,
      ).toHaveLength(1)
    const to = await temporaryFolder()
    await store.extract(FIRST, null, to, quiet())
    expect(bytesBelow(to)).toEqual(bytesBelow(root))
  })

  test('is read on another computer by restic, the repository and the password', async () => {
    const folder = await temporaryFolder()
    const root = await hardFolder()
    const copy = path.join(await temporaryFolder(), 'copy')
    writeFileSync(copy, 'a copy')
    const source = folderSource(root, (entry) =>
      entry.path === 'world/level.dat' ? { ...entry, size: 6, from: copy } : entry,
    )
    await resticStore(folder).save(FIRST, source, quiet())
    // Without what is kept beside it, too.
    rmSync(path.join(places(folder).folder, 'lists'), { recursive: true })
    const again = resticStore(folder)
    expect((await buffer(await again.read(FIRST, 'world/level.dat'))).toString()).toBe('a copy')
    const target = await temporaryFolder()
    const [list] = JSON.parse(askRestic(folder, 'snapshots', '--json', '--tag', FIRST)) as {
      tags: string[]
    }[]
    const main = list!.tags.find((tag) => tag.startsWith('lists-'))!.slice('lists-'.length)
    askRestic(folder, 'restore', main, '--target', target)
    askRestic(folder, 'restore', 'latest', '--tag', FIRST, '--target', target)
    const restored = path.join(target, root)
    execFileSync('cp', [
      '-a',
      `${path.join(target, places(folder).folder, 'work/beside/copies')}/.`,
      restored,
    ])
    expect(bytesBelow(restored)).toEqual({ ...bytesBelow(root), 'world/level.dat': 'a copy' })
  })

  test('a second backup adds what changed, and a full disk keeps what there is', async ({ skip }) => {
    const disk = await smallDisk(24)
    if (!disk) return skip(NO_DISK)
    const root = await hardFolder()
    const store = resticStore(disk.folder)
    await store.save(FIRST, folderSource(root), quiet())
    writeFileSync(path.join(root, 'plain.txt'), 'changed')
    const saved = await store.save(SECOND, folderSource(root), quiet())
    expect(saved.addedBytes).toBeLessThan(100_000)
    await store.remove([SECOND], quiet())
    const before = folderBytes(path.join(places(disk.folder).folder, 'repository'))
    addRegions(root, 8)
    const work = store.save(SECOND, folderSource(root), quiet())
    await expect(work).rejects.toMatchObject({ status: 507, code: 'backups.store-full' })
    expect(await store.ids()).toEqual([FIRST])
    expect(folderBytes(path.join(places(disk.folder).folder, 'repository')) - before).toBeLessThan(50_000)
    expect(await store.check(FIRST, quiet())).toEqual({ damaged: [] })
  })
})
