import { chmodSync, closeSync, openSync, rmSync, truncateSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isDamage } from './app-database.ts'
import { lookAt, readDataJson, writeDataFile } from './data-file.ts'
import { claimFolder, type FolderClaim, isClaimed } from './folder-claim.ts'
import { describeProcess, startOf } from './other-process.ts'
import { reasonOf } from './disk-errors.ts'
import { StartProblem } from './start-problem.ts'

/** Owner of a data folder. `start` distinguishes the process from a later one with the same pid. */
const Holder = z.object({
  host: z.string().max(255).optional(),
  pid: z.number().int().positive(),
  start: z.string().nullable(),
  ending: z.boolean().optional(),
})
type Holder = z.infer<typeof Holder>

export interface LockOptions {
  patienceMs?: number
  /** The folder is on storage that several computers have. Once it was, it always counts as that. */
  isShared?: boolean
  /** Called where the last one to have a shared folder never released it: it may write late. */
  taken?: () => void
}

export interface FolderLock {
  ending(): void
  /** Called when a program of another computer asks for the folder. */
  onWanted(listener: () => void): void
  release(): Promise<void>
}

/** Retry interval while the holder is shutting down, in ms. */
const AGAIN_MS = 200

/**
 * Locks a data folder for this process. The lock is the operating system's, on an empty SQLite file: it ends with the
 * process, so it can't go stale or be taken twice. A file beside it names the holder. Throws StartProblem
 * `folder-held`, after up to `patienceMs` if the holder is shutting down; `data-not-readable` if something else is in
 * the lock's place.
 */
export async function lockFolder(
  dataDir: string,
  program: 'panel' | 'service',
  { isShared = false, taken, ...options }: LockOptions = {},
): Promise<FolderLock> {
  const isTaken = () => {
    // The lost one may still have it locked.
    rmSync(path.join(dataDir, `${program}.lock`), { recursive: true, force: true })
    taken?.()
  }
  const claim = isShared || isClaimed(dataDir) ? await claimFolder(dataDir, isTaken) : null
  try {
    return await lockHere(dataDir, program, options, claim)
  } catch (error) {
    await claim?.release()
    throw error
  }
}

async function lockHere(
  dataDir: string,
  program: 'panel' | 'service',
  { patienceMs = 0 }: LockOptions,
  claim: FolderClaim | null,
): Promise<FolderLock> {
  const lockFile = path.join(dataDir, `${program}.lock`)
  const holderFile = path.join(dataDir, `${program}.holder.json`)
  const latest = performance.now() + patienceMs
  prepareLock(lockFile)
  let db = tryLock(lockFile)
  while (!db) {
    // Null if the lock was just taken and the file isn't written yet.
    const holder = await readDataJson(holderFile, (value) => Holder.parse(value))
    if (!holder?.ending || performance.now() >= latest) throw held(dataDir, await describeHolder(holder))
    await sleep(AGAIN_MS)
    db = tryLock(lockFile)
  }
  const lock = db
  const holder: Holder = { host: hostname(), pid: process.pid, start: await startOf(process.pid) }
  tell(holderFile, holder)
  return {
    ending: () => tell(holderFile, { ...holder, ending: true }),
    onWanted: (listener) => claim?.onWanted(listener),
    async release() {
      try {
        rmSync(holderFile, { recursive: true, force: true })
      } catch {
        // The file only names the holder; the lock itself is released.
      }
      lock.close()
      await claim?.release()
    },
  }
}

/** The lock file has no content, so only something that isn't a file can be in the way. */
function prepareLock(lockFile: string): void {
  if (lookAt(lockFile) === 'something else')
    throw unusable(lockFile, 'it is a folder, a broken link, or something else that is not a file')
  try {
    chmodSync(lockFile, 0o600)
  } catch {
    // Missing, or another user's; opening it will tell.
  }
  try {
    closeSync(openSync(lockFile, 'a', 0o600))
  } catch (error) {
    throw unusable(lockFile, reasonOf(error), error)
  }
}

function tryLock(lockFile: string, again = true): DatabaseSync | null {
  const db = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    if (!again || !isDamage(error)) throw unusable(lockFile, reasonOf(error), error)
    // Unlocked, or it would be busy. Truncating in place keeps it the same file, so only one process can lock it.
    truncateSync(lockFile)
    for (const beside of [`${lockFile}-journal`, `${lockFile}-wal`, `${lockFile}-shm`])
      rmSync(beside, { recursive: true, force: true })
    return tryLock(lockFile, false)
  }
}

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
  // A pid means nothing on another computer.
  if (holder.host !== undefined && holder.host !== hostname()) return `a process on ${holder.host}`
  const same = holder.start === null || (await startOf(holder.pid)) === holder.start
  return describeProcess(same ? holder.pid : null)
}
