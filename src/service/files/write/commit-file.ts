import { chmodSync, linkSync, lstatSync, renameSync, unlinkSync, utimesSync, type BigIntStats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { z } from 'zod'
import { fileTime } from '../../../host/file-time.ts'
import type { Conflict, FileEntry } from '../../../contract/areas/values/file-values.ts'
import { refusal } from '../../base/refusal.ts'
import { fileEntryOf } from '../names/entry.ts'
import { joined, splitLast } from '../../../contract/rules/paths.ts'
import { numbered } from '../../../contract/rules/names.ts'
import { exists, isFolder, refusing } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import type { DiskPath } from '../names/raw-names.ts'

export interface CommitOptions {
  /** Default: `refuse`. */
  conflict?: Conflict
  /** Milliseconds since 1970; default: now. */
  modifiedAt?: number | null
  /**
   * Whether its bytes have to be brought to the disk first, and its name after that. Default: true; false where the caller
   * has done the one, and does the other with \`ServerFiles.flush\` for many files together.
   */
  durable?: boolean
  /** The upload whose bytes these are: they are counted to the quota, and from then on where they are. */
  upload?: string
  /** Called at the last moment with what is there now; throws where it is not what was expected. */
  check?: (there: BigIntStats | null) => void
  /** Does the step itself, once nothing is left to be checked, with what goes with it. Of `replace` alone. */
  step?: (place: () => void) => void
}

export interface Committed {
  outcome: 'done' | 'skipped'
  /** Contract path of the file: as it was asked, but for `keep-both`. */
  path: string
  entry: z.input<typeof FileEntry>
  stat: BigIntStats
}

/** Most numbers tried for `keep-both`. */
const MOST_NUMBERS = 10_000

/** See `ServerFiles.commit`. */
export async function commitFile(
  files: ServerFiles,
  temp: string,
  path: string,
  { conflict = 'refuse', modifiedAt = null, durable = true, upload, check, step }: CommitOptions = {},
): Promise<Committed> {
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
    // The quota once more: others came meanwhile.
    const replaced = conflict === 'replace' ? look() : null
    const partial = upload === undefined ? 0 : files.partialUploads.of(upload)
    await files.space.requireQuota(size - (replaced?.isFile() ? Number(replaced.size) : 0), partial)
    // From here to the end nothing waits, so that nothing of this service comes between the look and the step.
    const there = look()
    check?.(there)
    const done = (name: string, outcome: Committed['outcome'] = 'done'): Committed => {
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
      // What is started stays startable.
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

/**
 * Moves a file to a name only where nothing has it, in one step of the system; false where something has. Without hard
 * links (some USB sticks) it is looked first.
 */
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

/** Throws Refusal 413 `files.too-large` where a file of that many bytes is not taken. */
export function requireSize(files: Pick<ServerFiles, 'maxFileBytes'>, bytes: number): void {
  const { maxFileBytes } = files
  if (maxFileBytes === null || bytes <= maxFileBytes) return
  throw refusal(413, 'files.too-large', { most: maxFileBytes })
}
