import { lstatSync, mkdirSync, readlinkSync, symlinkSync, type BigIntStats } from 'node:fs'
import { chmod, open, utimes } from 'node:fs/promises'
import { fileTime } from '../../../host/file-time.ts'
import type { Reservation } from '../quota/reservations.ts'
import { type Kind, kindOf } from '../names/entry.ts'
import { joined } from '../../../contract/rules/paths.ts'
import { TreeCursor } from './descent.ts'
import { type OpenedFolder, openRoot } from './opened-folder.ts'
import { canceled, notFile, outside, replacedMeanwhile } from '../names/refusals.ts'
import { READ_FLAGS } from './open-in.ts'
import type { ServerFiles } from '../server-files.ts'
import { behind } from '../../base/priority.ts'
import { walkTree } from './walk-tree.ts'
import { eachOf } from './walk.ts'
import { Yielder } from '../../../host/yield.ts'
import type { DiskPath } from '../names/raw-names.ts'

interface EntryLocation {
  folder: OpenedFolder
  name: string
}

interface Copy {
  files: ServerFiles
  signal: AbortSignal
  reservation: Pick<Reservation, 'wrote'>
  yielder: Yielder
}

const CHUNK = 1024 * 1024
/** To sync a file, Windows needs it writable; elsewhere it may be read-only. */
const FLUSHED = process.platform === 'win32' ? 'r+' : 'r'

/** Throws Refusal 499 when canceled, 409 `files.changed` if something was replaced; the caller cleans up. */
export async function copyTree(
  files: ServerFiles,
  from: EntryLocation,
  to: EntryLocation,
  signal: AbortSignal,
  reservation: Pick<Reservation, 'wrote'>,
): Promise<void> {
  const copy: Copy = { files, signal, reservation, yielder: new Yielder() }
  const { kind, stat } = await copyOne(copy, from, to)
  if (kind === 'other') throw notFile(joined(from.folder.path, from.name))
  if (kind !== 'folder') return
  using source = from.folder.enter(from.name)
  using top = to.folder.enter(to.name)
  using target = new TreeCursor(top)
  const stats = [stat]
  for await (const step of walkTree(source)) {
    if (step.kind === 'out') {
      target.leave()
      await keepRecord({ folder: target.here, name: step.name }, stats.pop()!)
      continue
    }
    const { folder, depth, name, entries } = step
    if (depth > 0) {
      target.enter(name)
      stats.push(lstatSync(folder.itself, { bigint: true }))
    }
    for (const entry of entries)
      await copyOne(copy, { folder, name: entry.name }, { folder: target.here, name: entry.name })
  }
  await keepRecord(to, stat)
}

async function copyOne(
  copy: Copy,
  from: EntryLocation,
  to: EntryLocation,
): Promise<{ kind: Kind; stat: BigIntStats }> {
  await copy.yielder.next()
  if (copy.signal.aborted) throw canceled()
  const stat = lstatSync(from.folder.at(from.name), { bigint: true })
  const kind = kindOf(stat)
  if (kind === 'file') await behind(() => copyFile(copy, from, to))
  else if (kind === 'link') symlinkSync(linkOf(from), to.folder.at(to.name))
  else if (kind === 'folder') mkdirSync(to.folder.at(to.name), { mode: 0o700 })
  return { kind, stat }
}

function linkOf({ folder, name }: EntryLocation): DiskPath {
  try {
    return process.platform === 'win32'
      ? readlinkSync(folder.at(name))
      : readlinkSync(folder.at(name), { encoding: 'buffer' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') throw replacedMeanwhile(joined(folder.path, name))
    throw error
  }
}

async function copyFile(
  { files, signal, reservation }: Copy,
  from: EntryLocation,
  to: EntryLocation,
): Promise<void> {
  const { folder, name } = from
  await using source = await open(folder.at(name), READ_FLAGS)
  const stat = await source.stat({ bigint: true })
  const path = joined(folder.path, name)
  if (!stat.isFile()) throw notFile(path)
  folder.confirm(name, stat)
  if (!(await files.hardLinks.allInside(stat))) throw outside(path)
  {
    await using target = await open(to.folder.at(to.name), 'wx', 0o600)
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Number(stat.size) + 1))
    for (;;) {
      if (signal.aborted) throw canceled()
      const { bytesRead } = await source.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) break
      await target.writeFile(buffer.subarray(0, bytesRead))
      reservation.wrote(bytesRead)
    }
  }
  await keepRecord(to, stat)
}

async function keepRecord({ folder, name }: EntryLocation, stat: BigIntStats): Promise<void> {
  const at = folder.at(name)
  await chmod(at, Number(stat.mode) & 0o777)
  await utimes(at, fileTime(Number(stat.atimeMs)), fileTime(Number(stat.mtimeMs)))
}

/** Syncs all files of our own tree, before it gets its name. */
export async function flushTree(at: string): Promise<void> {
  const stat = lstatSync(at)
  if (stat.isFile()) return flushFile(at)
  if (!stat.isDirectory()) return
  using top = openRoot(at)
  for await (const step of walkTree(top)) {
    if (step.kind === 'out') continue
    const { folder, entries } = step
    await eachOf(
      entries.filter(({ kind }) => kind === 'file'),
      ({ name }) => flushFile(folder.at(name)),
    )
  }
}

export function flushFile(at: DiskPath): Promise<void> {
  return behind(async () => {
    await using handle = await open(at, FLUSHED)
    await handle.sync()
  })
}
