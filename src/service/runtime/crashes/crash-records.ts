import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../../host/data-file.ts'
import type { ExplainedCrash } from '../../worlds/crashes/crash-rule.ts'

const Position = z.object({ epoch: z.number().int(), seq: z.number().int() })

const CrashRecord = z.object({
  cause: z.string().nullable(),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  evidence: z.string(),
  lines: z.array(z.string()).default([]),
  at: z.iso.datetime(),
  exitCode: z.number().int().nullable(),
  from: Position,
  to: Position,
})

export interface KeptCrash extends Omit<ExplainedCrash, 'cause'> {
  cause: ExplainedCrash['cause'] | null
  lines: string[]
  at: string
  /** Null if the program couldn't be started. */
  exitCode: number | null
  /** First and last console line of the run. */
  from: z.infer<typeof Position>
  to: z.infer<typeof Position>
}

/** One small file per server, so the last crash survives restarts of the service. */
export class CrashRecords {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, 'crashes')
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** Unreadable counts as none: only an explanation is lost. */
  read(serverId: string): KeptCrash | null {
    try {
      return CrashRecord.parse(JSON.parse(readFileSync(this.#file(serverId), 'utf8'))) as KeptCrash
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
      // The old explanation may reappear after a restart; that's no reason to fail.
    }
  }

  #file(serverId: string): string {
    return path.join(this.#folder, `${encodeURIComponent(serverId)}.json`)
  }
}
