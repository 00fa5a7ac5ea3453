import path from 'node:path'
import { onDisk } from '../../files/names/raw-names.ts'
import { includePattern } from './patterns.ts'
import type { Repository, Snapshot } from './repository.ts'
import { failureOf, type ResticEnd } from './restic-refusals.ts'

/** What a system takes as arguments of one program, with room left. */
const ARGUMENT_BYTES = 16 * 1024

/** Where restic puts what was saved at a place. */
export const restoredAt = (target: string, { at }: Snapshot): string => path.join(target, at)

/** Restores parts of a snapshot, or all, going on where files are damaged. Other failures are thrown. */
export async function restoreParts(
  repository: Repository,
  snapshot: Snapshot,
  { parts, target, signal }: { parts: readonly string[] | null; target: string; signal: AbortSignal },
): Promise<ResticEnd> {
  const all: ResticEnd = { code: 0, errors: '' }
  for (const some of parts === null ? [[]] : batches(parts)) {
    const includes = some.flatMap((part) => ['--include', includePattern(`${snapshot.at}/${part}`)])
    const args = ['restore', snapshot.snapshot, '--target', target, ...includes]
    const { output, ended } = await repository.start(args, { signal })
    output.resume()
    const end = await ended
    if (end.code === 0) continue
    const failure = failureOf(end, repository.place)
    if (failure.code !== 'backups.store-damaged' && !end.errors.includes(FAILED)) throw failure
    all.code = end.code
    all.errors += end.errors
  }
  return all
}

const FAILED = 'ignoring error for '

/** Whether restic said that this path could not be restored. */
export function isNamed(errors: string, { at }: Snapshot, part: string): boolean {
  const told = onDisk(part)
  const name = typeof told === 'string' ? told : told.toString()
  return errors.includes(`${FAILED}${at}/${name}: `)
}

function batches(parts: readonly string[]): string[][] {
  const all: string[][] = []
  let bytes = Infinity
  for (const part of parts) {
    bytes += part.length * 4
    if (bytes > ARGUMENT_BYTES) {
      all.push([])
      bytes = part.length * 4
    }
    all.at(-1)!.push(part)
  }
  return all
}
