import { chmodSync, linkSync, lstatSync, renameSync, unlinkSync, utimesSync, type BigIntStats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { z } from 'zod'
import { fileTime } from '../../../host/file-time.ts'
import type { Conflict, FileEntry } from '../../../contract/areas/values/file-values.ts'
import { refusal } from '../../../host/refusal.ts'
import { fileEntryOf } from '../names/entry.ts'
import { joined, splitLast } from '../../../contract/rules/paths.ts'
import { numbered } from '../../../contract/rules/names.ts'
import { exists, isFolder, refusing } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import type { DiskPath } from '../names/raw-names.ts'

export interface CommitOptions {
  conflict?: Conflict
  modifiedAt?: number | null
  /** Default: true. False if the caller syncs the bytes before, and the folders later with `ServerFiles.flush`. */
  durable?: boolean
  /** The upload the bytes come from, which already count towards the quota. */
  upload?: string
  /** Called right before placing with the current file; throws if it is not the expected one. */
  check?: (there: BigIntStats | null) => void
  /** For `replace`: calls `place` together with other synchronous steps. */
  step?: (place: () => void) => void
}

export interface CommitResult {
  outcome: 'done' | 'skipped'
  /** Contract path; differs from the request only for `keep-both`. */
  path: string
  entry: z.input<typeof FileEntry>
  stat: BigIntStats
}

const MOST_NUMBERS = 10_000

export async function commitFile(
  files: ServerFiles,
  temp: string,
  path: string,
  { conflict = 'refuse', modifiedAt = null, durable = true, upload, check, step }: CommitOptions = {},
): Promise<CommitResult> {
  return refusing(path, async () => {
    let size: number
    if (durable) {
      await using handle = await open(temp, 'r+')
      ;({ size } = await handle.stat())
      if (modifiedAt !== null) await handle.utimes(new Date(), fileTime(modifiedAt))
      await handle.sync()
    } else {
      ;({ size } = lstatSync(temp))
      if (modifiedAt !== null) utimesSync(temp, new Date(), fileTime(modifiedAt))
    }
    requireSize(files, size)
    using located = files.locate(path, { follow: true, make: true })
    const look = () => lstatSync(located.at, { bigint: true, throwIfNoEntry: false }) ?? null
    // Check the quota again for concurrent writes.
    const replaced = conflict === 'replace' ? look() : null
    const partial = upload === undefined ? 0 : files.partialUploads.of(upload)
    await files.space.requireQuota(size - (replaced?.isFile() ? Number(replaced.size) : 0), partial)
    // Synchronous from here on, so nothing can change between check and rename.
    const there = look()
    check?.(there)
    const done = (name: string, outcome: CommitResult['outcome'] = 'done'): CommitResult => {
      if (upload !== undefined) files.partialUploads.set(upload, null)
      const stat = lstatSync(located.folder.at(name), { bigint: true })
      const asked = joined(splitLast(path).folder, name)
      return {
        outcome,
        path: name === located.name ? path : asked,
        entry: fileEntryOf(splitLast(name === located.name ? path : asked).name, stat),
        stat,
      }
    }
    if (conflict === 'replace') {
      if (there?.isDirectory()) throw isFolder(path)
      // Keep the mode, such as executable bits.
      if (there?.isFile()) chmodSync(temp, Number(there.mode) & 0o777)
      const place = () => renameSync(temp, located.at)
      if (step) step(place)
      else place()
      files.space.add(size - Number(there?.size ?? 0))
      const committed = done(located.name)
      if (durable) await located.folder.flush()
      return committed
    }
    let name = located.name
    for (let number = 2; !putNew(temp, located.folder.at(name)); number++) {
      if (conflict === 'skip') {
        unlinkSync(temp)
        return done(name, 'skipped')
      }
      if (conflict === 'refuse' || number > MOST_NUMBERS) throw exists(path)
      name = numbered(located.name, number)
    }
    files.space.add(size)
    const committed = done(name)
    if (durable) await located.folder.flush()
    return committed
  })
}

/** Atomic; false if the name is taken. Without hard links (some USB sticks), checks first. */
export function putNew(from: DiskPath, to: DiskPath): boolean {
  try {
    linkSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code ?? '')) throw error
    if (lstatSync(to, { throwIfNoEntry: false })) return false
    renameSync(from, to)
    return true
  }
  unlinkSync(from)
  return true
}

/** Throws Refusal 413 `files.too-large`. */
export function requireSize(files: Pick<ServerFiles, 'maxFileBytes'>, bytes: number): void {
  const { maxFileBytes } = files
  if (maxFileBytes === null || bytes <= maxFileBytes) return
  throw refusal(413, 'files.too-large', { most: maxFileBytes })
}
