import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../host/data-file.ts'
import type { JavaEntry } from './installs/java-program.ts'

const InstallationBase = z.object({
  software: z.string(),
  version: z.string(),
  build: z.string().nullable(),
  isPinned: z.boolean().optional(),
  java: z.object({ major: z.number().int(), exact: z.boolean() }),
  /** What loads extensions in a custom jar, as a software id; null if unknown. */
  loadsAs: z.string().max(60).nullish(),
  /** Vanilla server placed where the software looks for it, instead of downloading it at each start. */
  game: z
    .object({
      version: z.string(),
      at: z.string().regex(/^(?:cache|\.fabric\/server)\/[A-Za-z0-9][\w.+-]{0,120}$/),
    })
    .optional(),
  /** Major version of a Java chosen and present then. */
  brought: z.number().int().nullish(),
  /** Folder whose files still have to be moved into the server's folder. */
  staged: z
    .string()
    .regex(/^install-[\da-f-]{36}$/)
    .optional(),
})

export const InstallationRecord = z.union([
  InstallationBase.extend({ jar: z.string() }),
  InstallationBase.extend({ args: z.array(z.string()).min(1).max(10) }),
])
export type InstallationRecord = z.infer<typeof InstallationRecord>

/** Software id of jars brought by people. */
export const CUSTOM = 'custom'

/** Chosen before anything is installed. */
const WantedBuild = z.object({ software: z.string(), version: z.string(), build: z.string() })
type WantedBuild = z.infer<typeof WantedBuild>

export const entryOf = (installed: InstallationRecord): JavaEntry =>
  'jar' in installed ? { form: 'jar', file: installed.jar } : { form: 'args', files: installed.args }

export const filesOf = (installed: InstallationRecord): string[] =>
  'jar' in installed ? [installed.jar] : installed.args

/** Outside the servers' folders: write access there must not decide what runs. `next` is undecided. */
export class InstalledRecords {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** Null if nothing is installed, or unreadable: then it is installed again. */
  read(serverId: string): InstallationRecord | null {
    return readRecord(this.#file(serverId), InstallationRecord)
  }

  kindOfJar({ id, softwareId }: { id: string; softwareId: string }): string | null {
    if (softwareId !== CUSTOM) return null
    const installed = this.read(id)
    return installed?.software === CUSTOM ? (installed.loadsAs ?? null) : null
  }

  write(serverId: string, installed: InstallationRecord): void {
    writeDataFile(this.#file(serverId), `${JSON.stringify(installed)}\n`)
  }

  /** Null removes the record. */
  replace(serverId: string, installed: InstallationRecord | null): void {
    if (installed) this.write(serverId, installed)
    else rmSync(this.#file(serverId), { force: true })
  }

  next(serverId: string): InstallationRecord | null {
    return readRecord(this.#next(serverId), InstallationRecord)
  }

  writeNext(serverId: string, installed: InstallationRecord): void {
    writeDataFile(this.#next(serverId), `${JSON.stringify(installed)}\n`)
  }

  /** Only meaningful while nothing is installed. */
  wanted(serverId: string): WantedBuild | null {
    return readRecord(this.#wanted(serverId), WantedBuild)
  }

  want(serverId: string, wanted: WantedBuild): void {
    writeDataFile(this.#wanted(serverId), `${JSON.stringify(wanted)}\n`)
  }

  promote(serverId: string): void {
    try {
      renameSync(this.#next(serverId), this.#file(serverId))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  dropNext(serverId: string): Promise<void> {
    return rm(this.#next(serverId), { force: true })
  }

  async forget(serverId: string): Promise<void> {
    await this.dropNext(serverId)
    await rm(this.#wanted(serverId), { force: true })
    await rm(this.#file(serverId), { force: true })
  }

  #file(serverId: string): string {
    return path.join(this.#folder, `${encodeURIComponent(serverId)}.json`)
  }

  #next(serverId: string): string {
    return path.join(this.#folder, `${encodeURIComponent(serverId)}.next.json`)
  }
  #wanted(serverId: string): string {
    return path.join(this.#folder, `${encodeURIComponent(serverId)}.wanted.json`)
  }
}

/** Null if missing or unreadable. */
export function readRecord<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
