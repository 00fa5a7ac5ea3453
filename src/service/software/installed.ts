import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { writeDataFile } from '../../host/data-file.ts'
import type { JavaEntry } from './installs/java-program.ts'

const About = z.object({
  software: z.string(),
  version: z.string(),
  build: z.string().nullable(),
  /** A modpack asks for this build and no other. */
  isPinned: z.boolean().optional(),
  java: z.object({ major: z.number().int(), exact: z.boolean() }),
  /** As what a jar of one's own loads plugins or mods: the id of a software; null where that is not known. */
  loadsAs: z.string().max(60).nullish(),
  /** Minecraft's own server, which was put where the software looks for it: it would download that itself at each start. */
  game: z
    .object({
      version: z.string(),
      at: z.string().regex(/^(?:cache|\.fabric\/server)\/[A-Za-z0-9][\w.+-]{0,120}$/),
    })
    .optional(),
  /** The major version of Java that somebody chose, and that was here then. */
  brought: z.number().int().nullish(),
  /** The folder in the server's staging folder whose files have not been moved into the server's folder yet. */
  staged: z
    .string()
    .regex(/^install-[\da-f-]{36}$/)
    .optional(),
})

/** What is installed in a server's folder: with the jar that is started, or the files with the arguments of that. */
export const Installed = z.union([
  About.extend({ jar: z.string() }),
  About.extend({ args: z.array(z.string()).min(1).max(10) }),
])
export type Installed = z.infer<typeof Installed>

/** Id of the software that is a jar which people have put into their server's folder themselves. */
export const CUSTOM = 'custom'

/** The build that somebody chose for a server on which nothing is installed yet. */
const WantedBuild = z.object({ software: z.string(), version: z.string(), build: z.string() })
export type WantedBuild = z.infer<typeof WantedBuild>

/** What it is started from. */
export const entryOf = (installed: Installed): JavaEntry =>
  'jar' in installed ? { form: 'jar', file: installed.jar } : { form: 'args', files: installed.args }

/** Files in the server's folder without which it cannot be started. */
export const filesOf = (installed: Installed): string[] =>
  'jar' in installed ? [installed.jar] : installed.args

/**
 * What is installed where, one small file for each server. It lies outside of the servers' folders: who may write there
 * does not decide what is run. Beside it there can be the next one, of an installation that is not decided yet, and before
 * the first one the build that is wanted.
 */
export class InstalledRecords {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** Null where nothing is, or nobody can tell any more: then it is installed anew. */
  read(serverId: string): Installed | null {
    return read(this.#file(serverId), Installed)
  }

  /** As what a server's own jar loads plugins or mods; null where that is not known, or it has none of its own. */
  kindOfJar({ id, softwareId }: { id: string; softwareId: string }): string | null {
    if (softwareId !== CUSTOM) return null
    const installed = this.read(id)
    return installed?.software === CUSTOM ? (installed.loadsAs ?? null) : null
  }

  write(serverId: string, installed: Installed): void {
    writeDataFile(this.#file(serverId), `${JSON.stringify(installed)}\n`)
  }

  /** What holds from now on, or that nothing is known. */
  replace(serverId: string, installed: Installed | null): void {
    if (installed) this.write(serverId, installed)
    else rmSync(this.#file(serverId), { force: true })
  }

  /** The one that is not decided yet. */
  next(serverId: string): Installed | null {
    return read(this.#next(serverId), Installed)
  }

  writeNext(serverId: string, installed: Installed): void {
    writeDataFile(this.#next(serverId), `${JSON.stringify(installed)}\n`)
  }

  /** Null where none was chosen. It counts as long as there is no record of what is installed. */
  wanted(serverId: string): WantedBuild | null {
    return read(this.#wanted(serverId), WantedBuild)
  }

  want(serverId: string, wanted: WantedBuild): void {
    writeDataFile(this.#wanted(serverId), `${JSON.stringify(wanted)}\n`)
  }

  /** From this step on the next one holds. Does nothing where there is none. */
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

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
