import { lstatSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { splitLast } from '../../contract/rules/paths.ts'
import { kindOf } from '../files/names/entry.ts'
import { openFolder } from '../files/safe-fs/opened-folder.ts'
import { behind } from '../base/priority.ts'
import type { DiskPath } from '../files/names/raw-names.ts'
import { eachOf } from '../files/safe-fs/walk.ts'
import { named } from '../files/names/refusals.ts'
import { READ_FLAGS } from '../files/safe-fs/open-in.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import { requireRoomFor, THEIRS } from '../software/installs/staged-files.ts'
import type { PackRecord } from './pack-record.ts'
import type { CopyRecord } from './copy-records.ts'
import { LEFT_OUT } from './parts.ts'
import { jarOfFormer, type SettleContext } from './settle.ts'

const PIECE = 256 * 1024
const TOLD = 3

export interface PreparedChange {
  /** The previous state, and which names in the server's folder it contains. */
  copy: CopyRecord
  names: readonly string[]
  brought: PackRecord | null
}

/** Detects edits made while a change is being prepared: they would be lost. */
export class TouchedFiles {
  readonly #files: ServerFiles
  readonly #staged: string | null
  readonly #seen: ReadonlyMap<string, string>

  private constructor(files: ServerFiles, staged: string | null, seen: ReadonlyMap<string, string>) {
    this.#files = files
    this.#staged = staged
    this.#seen = seen
  }

  /** Rejects with 409 `modpacks.changed` if a file differs from its copy, and with the signal's reason. */
  static async of(
    { serverId, files, records, copies }: SettleContext,
    { copy, names, brought }: PreparedChange,
    signal: AbortSignal,
  ): Promise<TouchedFiles> {
    const next = records.next(serverId)
    const staged = next?.staged === undefined ? null : path.join(files.staging, next.staged)
    const jar = next && jarOfFormer(copy, next)
    const removed = [...(brought?.removed ?? []), ...(jar === null ? [] : [jar])]
    const paths = [...new Set([...(staged === null ? [] : comingFrom(staged, files.root)), ...removed])]
    // Without a copy, there is nothing to compare with.
    const isCopied = (name: string) => names.includes(name) || !LEFT_OUT.includes(name)
    const seen = new Map<string, string>()
    const changed: string[] = []
    await eachOf(paths, async (at) => {
      signal.throwIfAborted()
      const before = seenAt(files.root, at)
      seen.set(at, tell(before))
      if (!isCopied(at.split('/')[0]!)) return
      if (!(await isSame(files.root, copies.at(copy), at, before, signal))) changed.push(at)
    })
    if (changed.length > 0) throw filesChanged(changed.sort())
    return new TouchedFiles(files, staged, seen)
  }

  /** Call in the commit step. Throws 409 `modpacks.changed`, or 409 if a folder is in a file's way. */
  requireUnchanged(): void {
    const { root } = this.#files
    if (this.#staged !== null) requireRoomFor(this.#staged, root)
    const changed = [...this.#seen].filter(([at, was]) => tell(seenAt(root, at)) !== was)
    if (changed.length > 0) throw filesChanged(changed.map(([at]) => at).sort())
  }
}

function comingFrom(staged: string, root: string): string[] {
  const entries = readdirSync(staged, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) =>
      path.relative(staged, path.join(parentPath, name)).replaceAll(path.sep, '/'),
    )
    .filter((at) => !(THEIRS.has(path.posix.basename(at)) && seenAt(root, at)))
}

/** Doesn't follow links. Null if nothing is there, or nothing that copies contain. */
function seenAt(root: string, at: string): BigIntStats | null {
  try {
    const { folder, name } = splitLast(at)
    using opened = openFolder(root, folder)
    const stat = lstatSync(opened.at(name), { bigint: true, throwIfNoEntry: false })
    return stat && kindOf(stat) !== 'other' ? stat : null
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (error instanceof Refusal || ['ENOENT', 'ENOTDIR'].includes(code)) return null
    throw error
  }
}

/** Differs after every change, even one that preserves size and time. */
const tell = (stat: BigIntStats | null): string =>
  stat === null
    ? 'nothing'
    : [stat.dev, stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs].map(String).join(' ')

async function isSame(
  root: string,
  copy: string,
  at: string,
  there: BigIntStats | null,
  signal: AbortSignal,
): Promise<boolean> {
  const former = seenAt(copy, at)
  if (!there || !former) return !there && !former
  if (kindOf(there) !== kindOf(former)) return false
  const { folder, name } = splitLast(at)
  using inRoot = openFolder(root, folder)
  using inCopy = openFolder(copy, folder)
  const [one, other] = [inRoot.at(name), inCopy.at(name)]
  if (there.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other)
  if (!there.isFile() || there.size !== former.size) return false
  return await behind(() => isSameFile(one, other, signal))
}

async function isSameFile(one: DiskPath, other: DiskPath, signal: AbortSignal): Promise<boolean> {
  await using first = await open(one, READ_FLAGS)
  await using second = await open(other, READ_FLAGS)
  const pieces = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)] as const
  for (let at = 0; ;) {
    signal.throwIfAborted()
    const { bytesRead } = await first.read(pieces[0], 0, PIECE, at)
    const { bytesRead: also } = await second.read(pieces[1], 0, PIECE, at)
    if (bytesRead !== also || !pieces[0].subarray(0, bytesRead).equals(pieces[1].subarray(0, also)))
      return false
    if (bytesRead === 0) return true
    at += bytesRead
  }
}

function filesChanged(paths: readonly string[]): Refusal {
  const told = paths.slice(0, TOLD).map(named)
  const more = paths.length - told.length
  const files = told.join(', ')
  return more > 0
    ? refusal(409, 'modpacks.changed.more', { files, more })
    : refusal(409, 'modpacks.changed', { files })
}
