import { randomUUID } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { diskPath } from '../../files/names/raw-names.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { BackupCheck, StorePorts } from '../backup-store.ts'
import type { ListedEntry } from './backup-list.ts'
import type { Repository, StoredBackup, Snapshot } from './repository.ts'
import { damaged } from '../entries/entries.ts'
import { failureOf } from './restic-refusals.ts'
import { isNamed, restoredAt, restoreParts } from './restoring.ts'
import { COPIES } from './saving.ts'

interface Checking {
  files: readonly ListedEntry[]
  ports: StorePorts
}

const NAMED_MOST = 100
/** Damaged files are found by restoring so many bytes at a time into a folder that is removed again. */
const ROUND_BYTES = 256 * 1024 * 1024
const ROUND_FILES = 500

/** restic checks each byte against its hash while it reads, and ends at the first that is wrong. */
export async function checkBackup(
  repository: Repository,
  saved: StoredBackup,
  { files, ports }: Checking,
): Promise<BackupCheck> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const tell = (bytes: number) => ports.progress(Math.min((done += bytes), total), total)
  const bad: string[] = []
  let isSound = true
  for (const [snapshot, within] of [
    [saved.main, ''],
    [saved.list, `${COPIES}/`],
  ] as const) {
    if (await isReadable(repository, snapshot, { signal: ports.signal, tell })) continue
    isSound = false
    const of = files.filter(({ isCopy }) => isCopy === (within !== ''))
    const find = {
      files: of,
      within,
      target: path.join(repository.place.temporary, randomUUID()),
      signal: ports.signal,
    }
    bad.push(...(await damagedIn(repository, snapshot, find)))
  }
  // The list itself, or folders.
  if (bad.length === 0 && !isSound) throw damaged()
  return { damaged: bad.slice(0, NAMED_MOST) }
}

async function isReadable(
  repository: Repository,
  { snapshot, at }: Snapshot,
  { signal, tell }: { signal: AbortSignal; tell: (bytes: number) => void },
): Promise<boolean> {
  const { output, ended } = await repository.start(['dump', '--archive', 'tar', snapshot, at], { signal })
  output.on('data', (chunk: Buffer) => tell(chunk.length))
  const end = await ended
  if (end.code === 0) return true
  const failure = failureOf(end, repository.place)
  if (failure.code !== 'backups.store-damaged') throw failure
  return false
}

interface Finding {
  files: readonly ListedEntry[]
  within: string
  target: string
  signal: AbortSignal
}

async function damagedIn(
  repository: Repository,
  snapshot: Snapshot,
  { files, within, target, signal }: Finding,
): Promise<string[]> {
  const bad: string[] = []
  for (const round of rounds(files)) {
    if (bad.length >= NAMED_MOST) break
    await mkdir(target, { recursive: true, mode: 0o700 })
    try {
      const parts = round.map(({ path: at }) => within + at)
      const { errors } = await restoreParts(repository, snapshot, { parts, target, signal })
      for (const entry of round) {
        const at = within + entry.path
        const stat = await lstat(diskPath(restoredAt(target, snapshot), at)).catch(() => null)
        if (stat?.size !== entry.size || isNamed(errors, snapshot, at)) bad.push(entry.path)
      }
    } finally {
      await removeTree(target)
    }
  }
  return bad
}

function rounds(files: readonly ListedEntry[]): ListedEntry[][] {
  const all: ListedEntry[][] = []
  let [bytes, count] = [0, ROUND_FILES]
  for (const entry of files) {
    if (count === ROUND_FILES || bytes + entry.size > ROUND_BYTES) {
      all.push([])
      ;[bytes, count] = [0, 0]
    }
    all.at(-1)!.push(entry)
    bytes += entry.size
    count++
  }
  return all
}
