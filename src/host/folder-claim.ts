import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { ClaimWork } from './claim-worker.ts'
import { writeDataFile } from './data-file.ts'
import { StartProblem } from './start-problem.ts'

/** In ms. */
export interface ClaimTiming {
  /** How often whoever has a claim renews it. */
  renewMs: number
  /** Without a renewal for so long, it kills itself. */
  lostMs: number
  /** Without a renewal for so long, as others see it, it is taken over: it was killed before. */
  staleMs: number
  /** How long one that is renewed is waited for. */
  patienceMs: number
}

export const CLAIM_TIMING: ClaimTiming = {
  ...{ renewMs: 5_000, lostMs: 15_000, staleMs: 25_000, patienceMs: 75_000 },
}
const LOOK_MS = 1000

const WANTED = 'wanted'

const Holder = z.object({ host: z.string().max(255), isReleased: z.boolean().default(false) })

interface SeenClaim {
  number: number
  host: string
  isReleased: boolean
  /** Changes with each renewal. */
  renewed: number
}

export interface FolderClaim {
  /** Called when another program asks for the folder. */
  onWanted(listener: () => void): void
  /** Lets others have the folder at once. */
  release(): Promise<void>
  /** Stops renewing it. Others have to wait until it is stale. */
  abandon(): Promise<void>
}

const folderOf = (dataDir: string): string => path.join(dataDir, 'claims')

/** Whether it was claimed once, and so may be used by several computers. */
export const isClaimed = (dataDir: string): boolean => existsSync(folderOf(dataDir))

/**
 * Claims a folder that several computers have, whose own locks may mean nothing to each other. Each claim is a file with
 * the next number: making it is one step, so that only one gets it, and the newest counts. Whoever has it renews it in a
 * thread, and is killed once its file is gone or can't be renewed. `taken` is called where an older claim was never
 * released: its holder may write late. Throws StartProblem `folder-held`.
 */
export async function claimFolder(
  dataDir: string,
  taken: () => void = () => undefined,
  timing: ClaimTiming = CLAIM_TIMING,
): Promise<FolderClaim> {
  // It ignores even its own SIGKILL.
  if (process.pid === 1)
    throw new StartProblem(
      'arguments',
      'A service that shares its data folder with other computers has to be able to end itself, and the first process of a container is not. Start the container with --init.',
    )
  const folder = folderOf(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { file, isLate } = await makeClaim(folder, dataDir, timing)
  const claim = renewing({ file, wanted: path.join(folder, WANTED), ...timing })
  try {
    if (isLate) taken()
    return claim
  } catch (error) {
    await claim.abandon()
    throw error
  }
}

/** The host that uses the folder, if that is another computer. */
export async function otherHolder(dataDir: string): Promise<string | null> {
  const claim = isClaimed(dataDir) ? await newestIn(folderOf(dataDir)) : null
  return claim && !claim.isReleased && claim.host !== hostname() ? claim.host : null
}

async function makeClaim(folder: string, dataDir: string, { staleMs, patienceMs }: ClaimTiming) {
  const begin = performance.now()
  let [seen, since] = [await asked(folder), begin]
  for (;;) {
    const now = performance.now()
    const isStale = seen !== null && !seen.isReleased && now - since >= staleMs
    if (seen === null || seen.isReleased || isStale) {
      const file = path.join(folder, String((seen?.number ?? 0) + 1))
      if (madeNew(file)) {
        await clearOlder(folder, file)
        return { file, isLate: isStale }
      }
    } else if (now - begin >= patienceMs) throw held(dataDir, seen.host)
    await wait(LOOK_MS)
    const next = await asked(folder)
    if (next?.number !== seen?.number || next?.renewed !== seen?.renewed) since = performance.now()
    seen = next
  }
}

/** False if another was quicker. */
function madeNew(file: string): boolean {
  try {
    writeFileSync(file, JSON.stringify({ host: hostname() }), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Asks for the folder, which also makes a network file system forget what it believes to be in it. */
async function asked(folder: string): Promise<SeenClaim | null> {
  writeDataFile(path.join(folder, WANTED), '')
  return newestIn(folder)
}

async function newestIn(folder: string): Promise<SeenClaim | null> {
  const number = Math.max(0, ...(await numbersIn(folder)))
  if (number === 0) return null
  // Opened, since only that is sure to ask the computer that has the disk.
  const file = await open(path.join(folder, String(number))).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  // It was followed by another in between.
  if (!file) return newestIn(folder)
  try {
    const [{ mtimeMs }, text] = [await file.stat(), await file.readFile('utf8')]
    return { number, renewed: mtimeMs, ...holderIn(text) }
  } finally {
    await file.close()
  }
}

/** One that was killed right after it had made the file left it empty. */
function holderIn(text: string): z.output<typeof Holder> {
  try {
    return Holder.parse(JSON.parse(text))
  } catch {
    return { host: 'another computer', isReleased: false }
  }
}

const numbersIn = async (folder: string): Promise<number[]> =>
  (await readdir(folder)).filter((name) => /^\d{1,15}$/.test(name)).map(Number)

async function clearOlder(folder: string, file: string): Promise<void> {
  const own = Number(path.basename(file))
  for (const number of await numbersIn(folder))
    if (number < own) rmSync(path.join(folder, String(number)), { force: true })
  rmSync(path.join(folder, WANTED), { force: true })
}

function renewing(work: ClaimWork): FolderClaim {
  const worker = new Worker(workerFile(), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  })
  worker.unref()
  let isOver = false
  // Nobody would renew it any more.
  worker.on('error', () => process.kill(process.pid, 'SIGKILL'))
  worker.on('exit', () => {
    if (!isOver) process.kill(process.pid, 'SIGKILL')
  })
  const abandon = async () => {
    isOver = true
    await worker.terminate()
  }
  return {
    onWanted: (listener) => void worker.on('message', listener).unref(),
    abandon,
    async release() {
      await abandon()
      if (existsSync(work.file))
        writeDataFile(work.file, JSON.stringify({ host: hostname(), isReleased: true }))
    },
  }
}

function workerFile(): URL {
  const built = new URL('./claim-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./claim-worker.ts', import.meta.url)
}

const held = (dataDir: string, host: string) =>
  new StartProblem(
    'folder-held',
    `The data folder ${dataDir} is in use by ${host}. End the service there first, or start with another --data folder.`,
  )
