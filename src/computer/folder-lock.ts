import { closeSync, openSync, writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { describeProcess, startOf } from './other-process.ts'
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
 * `patienceMs` where the holder is ending.
 */
export async function lockFolder(
  dataDir: string,
  program: 'panel' | 'service',
  { patienceMs = 0 }: { patienceMs?: number } = {},
): Promise<FolderLock> {
  const lockFile = path.join(dataDir, `${program}.lock`)
  const holderFile = path.join(dataDir, `${program}.holder.json`)
  const latest = performance.now() + patienceMs
  closeSync(openSync(lockFile, 'a', 0o600))
  let db = tryLock(lockFile)
  while (!db) {
    const holder = await readHolder(holderFile)
    if (!holder?.ending || performance.now() >= latest) throw held(dataDir, await describeHolder(holder))
    await sleep(AGAIN_MS)
    db = tryLock(lockFile)
  }
  const lock = db
  const holder: Holder = { pid: process.pid, start: await startOf(process.pid) }
  await writeFile(holderFile, JSON.stringify(holder), { mode: 0o600 })
  return {
    ending: () => writeFileSync(holderFile, JSON.stringify({ ...holder, ending: true }), { mode: 0o600 }),
    async release() {
      await rm(holderFile, { force: true })
      lock.close()
    },
  }
}

/** The lock, or null where another process has it. */
function tryLock(lockFile: string): DatabaseSync | null {
  const db = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    return null
  }
}

const held = (dataDir: string, who: string) =>
  new StartProblem(
    'folder-held',
    `The data folder ${dataDir} is in use by ${who}. End it first, or start with another --data folder.`,
  )

const SQLITE_BUSY = 5

/** What the file beside the lock says; null where it was taken this very moment and the file is not written yet. */
async function readHolder(holderFile: string): Promise<Holder | null> {
  try {
    return Holder.parse(JSON.parse(await readFile(holderFile, 'utf8')))
  } catch {
    return null
  }
}

async function describeHolder(holder: Holder | null): Promise<string> {
  if (!holder) return 'another process'
  const same = holder.start === null || (await startOf(holder.pid)) === holder.start
  return describeProcess(same ? holder.pid : null)
}
