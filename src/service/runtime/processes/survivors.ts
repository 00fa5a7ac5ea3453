import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'
import { askToEnd, endTree, livingTree, treeGone } from './process-tree.ts'
import type { Leader } from './process-tree.ts'
import { refusalText, type RefusalText } from '../../../contract/messages/refusals/index.ts'
import type { SurvivingProgram } from '../programs/driver.ts'
import type { Say } from '../../software/software.ts'

const RunFile = z.object({
  pid: z.number().int().positive(),
  started: z.string().nullable(),
  boot: z.string().nullable(),
})

/** Records running programs on disk, so a service can find those of a crashed predecessor. */
export class RunFiles {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'run')
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** Synchronous: the service may be killed right after. */
  write(serverId: string, leader: Leader): void {
    writeDataFile(this.#file(serverId), JSON.stringify({ ...leader, boot: bootId() }))
  }

  remove(serverId: string): void {
    rmSync(this.#file(serverId), { recursive: true, force: true })
  }

  /** Programs of an earlier service, by server. Removes files that don't match a living process or can't be read. */
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
      // If the process table can't be read, keep it for the next start: the pid alone isn't proof.
      else if (!leader || tree) discard(this.#file(serverId))
    }
    return found
  }

  async #read(serverId: string): Promise<Leader | null> {
    const kept = await readDataJson(this.#file(serverId), (value) => RunFile.parse(value))
    // Pids and start times are only valid until reboot. Without a start time a pid proves nothing.
    if (!kept || kept.boot !== bootId() || kept.started === null) return null
    return { pid: kept.pid, started: kept.started }
  }

  #file(serverId: string): string {
    return join(this.#folder, `${encodeURIComponent(serverId)}.json`)
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true })
  } catch {
    // The next start overwrites it, or reports the error.
  }
}

function serverOf(name: string): string | null {
  try {
    return decodeURIComponent(name.slice(0, -'.json'.length))
  } catch {
    return null
  }
}

/** For programs whose pipes are gone: TERM, then KILL after the limit, in ms. */
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

/** For the console. */
export const survivorText = ({ isFollowed, isOver }: SurvivingProgram): RefusalText =>
  refusalText(isOver ? 'console.ended-away' : isFollowed ? 'console.following' : 'console.reconnected')

/** Reports a survivor's fate in the console. Never rejects. */
export async function tellOfSurvivor(stopped: Promise<void>, say: Say): Promise<void> {
  say(refusalText('console.survivor'))
  const how = await stopped.then(
    () => 'console.survivor-ended' as const,
    () => 'console.survivor-runs' as const,
  )
  say(refusalText(how))
}
