import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
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
    const file = this.#file(serverId)
    writeFileSync(`${file}.new`, JSON.stringify({ ...leader, boot: bootId() }), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  remove(serverId: string): void {
    rmSync(this.#file(serverId), { force: true })
  }

  /** Programs of an earlier service, by server. Files that say nothing of a living process are removed. */
  async survivors(): Promise<Map<string, Leader>> {
    const found = new Map<string, Leader>()
    for (const name of readdirSync(this.#folder)) {
      if (!name.endsWith('.json')) continue
      const serverId = decodeURIComponent(name.slice(0, -'.json'.length))
      const leader = this.#read(serverId)
      if (leader && (await livingTree(leader)).length > 0) found.set(serverId, leader)
      else this.remove(serverId)
    }
    return found
  }

  #read(serverId: string): Leader | null {
    try {
      const parsed = RunFile.parse(JSON.parse(readFileSync(this.#file(serverId), 'utf8')))
      // After a restart of the computer pids and start times count anew. Without a start time a pid proves nothing.
      if (parsed.boot !== bootId() || parsed.started === null) return null
      return { pid: parsed.pid, started: parsed.started }
    } catch {
      return null
    }
  }

  #file(serverId: string): string {
    return join(this.#folder, `${encodeURIComponent(serverId)}.json`)
  }
}

/** Stops a program whose pipes died with its service: TERM, then KILL after the limit, in milliseconds. */
export async function stopSurvivor(leader: Leader, termMs: number): Promise<void> {
  const tree = await livingTree(leader)
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
