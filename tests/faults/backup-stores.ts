import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { restic } from '../../src/service/backups/restic/restic.fixture.ts'
import { BackupWorld, type Engine, isCopy } from './backup-world.ts'
import type { Case } from './case.ts'
import { AT_REST, treeOf } from './installs.ts'
import { NO_DISK, SmallDisk } from './small-disk.ts'

const DISK_MB = 400
const DAMAGED_BYTES = 64
const FILES = 6
/** After so many rounds more would be too often in a short time. */
const REFRESHED = 4

/** The disk has no room any more while a backup is made, and while one is brought back: told, and all is as before. */
export async function backupDiskFull(it: Case): Promise<void> {
  const disk = await SmallDisk.mount(it.stage, 'service', DISK_MB)
  if (!disk) return void it.skipped.push(NO_DISK)
  const world = await BackupWorld.open(it, disk.folder)
  const then = await world.fill()
  const first = [await world.backUp(world.engineOf(0)), await world.backUp(world.engineOf(1))]
  for (let round = 0; round < (it.long ? 20 : 2); round++) {
    if (round % REFRESHED === REFRESHED - 1) await world.refresh()
    const engine = world.engineOf(round)
    const now = await world.fill()
    await world.use(engine)
    const made = await world.begin()
    await fillSoon(it, disk)
    const told = (await world.settled()).find(({ id }) => id === made)
    if (told?.state === 'failed') {
      const { code, message } = told.error ?? {}
      it.expect(FULL.includes(code ?? ''), `The backup failed with “${message}” (${code}).`)
    }
    disk.clear()
    // On a full disk restic can't even remove what it left: the next removal does.
    await makeAndDelete(world, engine)
    await world.expectSound()

    await world.servers.ask('POST', `/servers/backups/restore/${world.id}`, {
      ...{ backup: first[round % 2], to: 'here', paths: ['world/region'] },
    })
    await fillSoon(it, disk)
    await world.servers.until(world.id, AT_REST)
    await world.settled()
    const there = await treeOf(world.folder)
    if (there !== now && there !== then) it.half.push(`round ${round}: the world is mixed`)
    disk.clear()
    await makeAndDelete(world, engine)
    await world.expectSound()
    const sound = await world.try(first[round % 2]!)
    if (sound !== 'sound') it.lost.push(`The first ${engine} backup is ${sound}.`)
    // The disk is small.
    for (const { id } of await world.list())
      if (!first.includes(id) && !isCopy(id))
        await world.servers.ask('DELETE', `/servers/backups/${world.id}/${id}`)
  }
}

const FULL = ['service.disk-full', 'files.disk-full', 'backups.store-full', 'backups.no-room']

async function makeAndDelete(world: BackupWorld, engine: Engine): Promise<void> {
  const made = await world.backUp(engine)
  await world.give(made)
  await world.servers.ask('DELETE', `/servers/backups/${world.id}/${made}`)
}

async function fillSoon(it: Case, disk: SmallDisk): Promise<void> {
  await after(it.chance.next() * 500)
  disk.fill()
  it.tried += 1
}

/** Bytes of a backup change: what can be read is read as it was, the rest is named. A wrong password and a stale lock are told. */
export async function backupsDamaged(it: Case): Promise<void> {
  const world = await BackupWorld.open(it)
  await world.fill(FILES)
  for (let round = 0; round < (it.long ? 20 : 2); round++) {
    if (round % REFRESHED === REFRESHED - 1) await world.refresh()
    const engine = world.engineOf(round)
    const backup = await world.backUp(engine)
    const repair = await damage(it, world, engine, backup)
    it.tried += 1
    const tried = await world.try(backup)
    const damaged: string[] = []
    for (const at of await filesOf(world, backup)) {
      const read = await world.servers.bytes(`/servers/backups/content/${world.id}?${query(backup, at)}`)
      if (typeof read === 'string') damaged.push(at)
      else if (!read.equals(await readFile(path.join(world.servers.folderOf(world.id), at))))
        it.half.push(`${engine}: ${at} is read with other bytes`)
    }
    const told = (await world.list()).find(({ id }) => id === backup)?.tried?.error?.message ?? ''
    it.expect(
      tried === 'damaged' || damaged.length === 0,
      `${damaged.length} files of a damaged ${engine} backup can't be read, and it is ${tried}.`,
    )
    const unnamed = damaged.slice(0, 1).filter((at) => damaged.length < 4 && !told.includes(at))
    it.expect(unnamed.length === 0, `Damaged and not named: ${unnamed.join()}, but “${told}”.`)
    await repair()
    const again = await world.try(backup)
    if (again !== 'sound') it.lost.push(`The repaired ${engine} backup is ${again}.`)
  }
  if (!restic) return
  await wrongPassword(it, world)
  await staleLock(it, world)
}

const query = (backup: string, at: string) => `backup=${backup}&path=${encodeURIComponent(at)}`

async function filesOf(world: BackupWorld, backup: string): Promise<string[]> {
  const found: string[] = []
  const below = async (folder: string): Promise<void> => {
    const route = `/servers/backups/files/${world.id}?${query(backup, folder)}`
    const { items } = (await world.servers.ask('GET', route)) as { items: { name: string; kind: string }[] }
    for (const { name, kind } of items) {
      const at = folder === '' ? name : `${folder}/${name}`
      if (kind === 'file') found.push(at)
      else await below(at)
    }
  }
  await below('')
  return found
}

/** Some bytes in a row, at a chance place of its largest file. */
async function damage(it: Case, world: BackupWorld, engine: Engine, backup: string) {
  const folder = world.at('backups', world.id, engine === 'restic' ? 'restic/repository/data' : '')
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter(
    (one) => one.isFile() && (engine === 'restic' || one.name === `${backup}.tar.zst`),
  )
  const sized = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name)
      return { file, size: (await stat(file)).size }
    }),
  )
  const { file } = sized.toSorted((a, b) => b.size - a.size)[0]!
  const bytes = await readFile(file)
  const broken = Buffer.from(bytes)
  const at = it.chance.between(0, bytes.length - DAMAGED_BYTES)
  for (let n = at; n < at + DAMAGED_BYTES; n++) broken[n]! ^= 0xff
  await chmod(file, 0o600)
  await writeFile(file, broken)
  return () => writeFile(file, bytes)
}

async function wrongPassword(it: Case, world: BackupWorld): Promise<void> {
  const file = world.at('restic/passwords', world.id)
  await rename(file, `${file}.kept`)
  await writeFile(file, 'another\n')
  await world.use('restic')
  const made = await world.begin()
  const told = (await world.settled()).find(({ id }) => id === made)
  it.tried += 1
  it.expect(
    told?.error?.code === 'backups.wrong-password',
    `With a wrong password it says “${told?.error?.message}”.`,
  )
  await rename(`${file}.kept`, file)
}

async function staleLock(it: Case, world: BackupWorld): Promise<void> {
  const locks = world.at('backups', world.id, 'restic/repository/locks')
  const holder = spawn(restic!.executable, ['backup', '--stdin'], {
    env: world.resticVariables,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  while ((await readdir(locks)).length === 0) await after(10)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  it.tried += 1
  await makeAndDelete(world, 'restic')
  await world.expectSound()
  it.expect(existsSync(locks) && (await readdir(locks)).length === 0, 'A lock whose holder is gone stays.')
}
