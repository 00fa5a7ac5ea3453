import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'
import { askToEnd, endTree, livingTree, treeGone } from './process-tree.ts'
import type { Leader } from './process-tree.ts'

const RunFile = z.object({
  pid: z.number().int().positive(),
  started: z.string().nullable(),
  boot: z.string().nullable(),
})

/** Which programs run, on disk: so that a service that starts after one that died finds what that one left running. */
export class RunFiles {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'run')
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** Written at once: a service may be killed the moment after. */
  write(serverId: string, leader: Leader): void {
    writeDataFile(this.#file(serverId), JSON.stringify({ ...leader, boot: bootId() }))
  }

  remove(serverId: string): void {
    rmSync(this.#file(serverId), { recursive: true, force: true })
  }

  /**
   * Programs of an earlier service, by server. Files that say nothing of a living process are removed, those too that
   * cannot be read: which program it was, nobody can know any more.
   */
  async survivors(): Promise<Map<string, Leader>> {
    const found = new Map<string, Leader>()
    for (const name of readdirSync(this.#folder)) {
      if (!name.endsWith('.json')) continue
      const serverId = serverOf(name)
      if (serverId === null) {
        discard(join(this.#folder, name))
        continue
      }
      const leader = await this.#read(serverId)
      const tree = leader && (await livingTree(leader).catch(() => null))
      if (leader && tree && tree.length > 0) found.set(serverId, leader)
      // Where nobody can look at processes now, it is kept for the next start: a pid alone may be somebody else's.
      else if (!leader || tree) discard(this.#file(serverId))
    }
    return found
  }

  async #read(serverId: string): Promise<Leader | null> {
    const kept = await readDataJson(this.#file(serverId), (value) => RunFile.parse(value))
    // After a restart of the computer pids and start times count anew. Without a start time a pid proves nothing.
    if (!kept || kept.boot !== bootId() || kept.started === null) return null
    return { pid: kept.pid, started: kept.started }
  }

  #file(serverId: string): string {
    return join(this.#folder, `${encodeURIComponent(serverId)}.json`)
  }
}

/** Removes a useless file. A failure must not stop the start. */
function discard(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true })
  } catch {
    // The server's next start overwrites it, or reports the reason.
  }
}

/** The server whose file it is; null for a name that none of ours has. */
function serverOf(name: string): string | null {
  try {
    return decodeURIComponent(name.slice(0, -'.json'.length))
  } catch {
    return null
  }
}

/** Stops a program whose pipes died with its service: TERM, then KILL after the limit, in milliseconds. */
export async function stopSurvivor(leader: Leader, termMs: number): Promise<void> {
  const tree = await livingTree(leader).catch(() => [])
  askToEnd(leader.pid)
  if (!(await treeGone(leader, termMs))) await endTree(leader, tree)
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}

/** Says in a server's console what becomes of a program that an earlier service left running. Never rejects. */
export async function tellOfSurvivor(stopped: Promise<void>, say: (sentence: string) => void): Promise<void> {
  say(
    'The service was restarted while this server was running. What is still running of it is being stopped.',
  )
  const how = await stopped.then(
    () => 'The server has stopped. It can be started again.',
    () => 'Parts of it may still be running: end its program before you start it again.',
  )
  say(how)
}
