import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../../host/data-file.ts'
import type { ExplainedCrash } from '../../worlds/crashes/crash-rule.ts'

const Position = z.object({ epoch: z.number().int(), seq: z.number().int() })

const Kept = z.object({
  cause: z.string().nullable(),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  evidence: z.string(),
  at: z.iso.datetime(),
  exitCode: z.number().int().nullable(),
  from: Position,
  to: Position,
})

/** What is kept of a crash. */
export interface KeptCrash extends Omit<ExplainedCrash, 'cause'> {
  /** Null where nobody can tell. */
  cause: ExplainedCrash['cause'] | null
  /** ISO 8601. */
  at: string
  /** Null where its program could not be started at all. */
  exitCode: number | null
  /** The first and the last line of the run in its console. */
  from: z.infer<typeof Position>
  to: z.infer<typeof Position>
}

/** The last crash of each server, a small file for each: it is known after the service was started again, too. */
export class CrashRecords {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, 'crashes')
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** Null where there is none, or it cannot be read: nothing is lost by that but an explanation. */
  read(serverId: string): KeptCrash | null {
    try {
      return Kept.parse(JSON.parse(readFileSync(this.#file(serverId), 'utf8'))) as KeptCrash
    } catch {
      return null
    }
  }

  write(serverId: string, crash: KeptCrash): void {
    writeDataFile(this.#file(serverId), `${JSON.stringify(crash)}\n`)
  }

  forget(serverId: string): void {
    try {
      rmSync(this.#file(serverId), { recursive: true, force: true })
    } catch {
      // An old explanation is told again after the next start of the service: no reason to end all servers with it.
    }
  }

  #file(serverId: string): string {
    return path.join(this.#folder, `${encodeURIComponent(serverId)}.json`)
  }
}
