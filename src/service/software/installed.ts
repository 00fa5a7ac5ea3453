import { mkdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { writeKept } from '../../computer/kept-file.ts'

/** What is installed in a server's folder. */
export const Installed = z.object({
  software: z.string(),
  version: z.string(),
  build: z.string().nullable(),
  java: z.object({ major: z.number().int(), exact: z.boolean() }),
  /** The jar that is started, in the server's folder. */
  jar: z.string(),
  /** The major version of Java that somebody chose, and that was here then. */
  brought: z.number().int().nullish(),
})
export type Installed = z.infer<typeof Installed>

/**
 * What is installed where, one small file for each server. It lies outside of the servers' folders: who may write there
 * does not decide what is run.
 */
export class InstalledRecords {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** Null where nothing is, or nobody can tell any more: then it is installed anew. */
  read(serverId: string): Installed | null {
    try {
      return Installed.parse(JSON.parse(readFileSync(this.#file(serverId), 'utf8')))
    } catch {
      return null
    }
  }

  write(serverId: string, installed: Installed): void {
    writeKept(this.#file(serverId), `${JSON.stringify(installed)}\n`)
  }

  forget(serverId: string): Promise<void> {
    return rm(this.#file(serverId), { force: true })
  }

  #file(serverId: string): string {
    return path.join(this.#folder, `${encodeURIComponent(serverId)}.json`)
  }
}
