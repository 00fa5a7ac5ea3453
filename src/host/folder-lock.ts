import { chmodSync, closeSync, openSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isDamage } from './app-database.ts'
import { lookAt, readDataJson, writeDataFile } from './data-file.ts'
import { describeProcess, startOf } from './other-process.ts'
import { reasonOf } from './reason.ts'
import { StartProblem } from './start-problem.ts'

/** Who holds a data folder. `start` tells the process from a later one with the same pid. */
const Holder = z.object({
  pid: z.number().int().positive(),
  start: z.string().nullable(),
  /** It is about to let go: worlds are being saved. */
  ending: z.boolean().optional(),
})
type Holder = z.infer<typeof Holder>

export interface FolderLock {
  /** Tells those who wait that it will not be long. */
  ending(): void
  release(): Promise<void>
}

/** How often it is tried again while the holder is ending, in ms. */
const AGAIN_MS = 200

/**
 * Takes a data folder for this process, as the one panel or the one service of it. The lock itself is the operating
 * system's, on an empty SQLite file: it ends with the process, however that ends, so there is nothing stale to clear and
 * no moment in which two could take it. A file beside it says who holds it. Throws StartProblem `folder-held`, after
 * `patienceMs` where the holder is ending, and `data-not-readable` where something else stands in the lock's place.
 */
export async function lockFolder(
  dataDir: string,
  program: 'panel' | 'service',
  { patienceMs = 0 }: { patienceMs?: number } = {},
): Promise<FolderLock> {
  const lockFile = path.join(dataDir, `${program}.lock`)
  const holderFile = path.join(dataDir, `${program}.holder.json`)
  const latest = performance.now() + patienceMs
  prepareLock(lockFile)
  let db = tryLock(lockFile)
  while (!db) {
    // None where it was taken this very moment and the file is not written yet.
    const holder = await readDataJson(holderFile, (value) => Holder.parse(value))
    if (!holder?.ending || performance.now() >= latest) throw held(dataDir, await describeHolder(holder))
    await sleep(AGAIN_MS)
    db = tryLock(lockFile)
  }
  const lock = db
  const holder: Holder = { pid: process.pid, start: await startOf(process.pid) }
  tell(holderFile, holder)
  return {
    ending: () => tell(holderFile, { ...holder, ending: true }),
    async release() {
      try {
        rmSync(holderFile, { recursive: true, force: true })
      } catch {
        // It is only told who holds the lock; the lock itself goes.
      }
      lock.close()
    },
  }
}

/** The lock's file holds nothing: whatever is wrong with it, only what stands in its place can be in the way. */
function prepareLock(lockFile: string): void {
  if (lookAt(lockFile) === 'something else')
    throw unusable(lockFile, 'it is a folder, a broken link, or something else that is not a file')
  try {
    chmodSync(lockFile, 0o600)
  } catch {
    // It is not there yet, or another user's: whether it can be opened is seen next.
  }
  try {
    closeSync(openSync(lockFile, 'a', 0o600))
  } catch (error) {
    throw unusable(lockFile, reasonOf(error), error)
  }
}

/** The lock, or null where another process has it. */
function tryLock(lockFile: string, again = true): DatabaseSync | null {
  const db = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    if (!again || !isDamage(error)) throw unusable(lockFile, reasonOf(error), error)
    // Nobody holds it, or it would be busy. Emptied in place it stays the same file, so that of two only one can lock it.
    truncateSync(lockFile)
    for (const beside of [`${lockFile}-journal`, `${lockFile}-wal`, `${lockFile}-shm`])
      rmSync(beside, { recursive: true, force: true })
    return tryLock(lockFile, false)
  }
}

/** Says who holds the lock. Where that cannot be written it is not known, which is no reason not to start. */
function tell(holderFile: string, holder: Holder): void {
  try {
    writeDataFile(holderFile, JSON.stringify(holder))
  } catch {
    // As above.
  }
}

const unusable = (lockFile: string, why: string, cause?: unknown) =>
  new StartProblem(
    'data-not-readable',
    `The lock ${lockFile} cannot be used: ${why}. It contains no data: delete it while no other program ` +
      'uses the folder, then start again.',
    { cause },
  )

const held = (dataDir: string, who: string) =>
  new StartProblem(
    'folder-held',
    `The data folder ${dataDir} is in use by ${who}. End it first, or start with another --data folder.`,
  )

const SQLITE_BUSY = 5

async function describeHolder(holder: Holder | null): Promise<string> {
  if (!holder) return 'another process'
  const same = holder.start === null || (await startOf(holder.pid)) === holder.start
  return describeProcess(same ? holder.pid : null)
}
