import { lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { READ_FLAGS } from '../../files/safe-fs/open-in.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { Refusal } from '../../../host/refusal.ts'
import { worldNames } from '../parts.ts'
import { readWorldSettings } from '../../worlds/server-properties.ts'
import { projectOf, type PackFile } from './pack-index.ts'
import { sameName } from '../pack-paths.ts'
import type { PackRecord } from '../pack-record.ts'
import { type ServerHashes, lookInto, type FileDigests } from './kept-hashes.ts'
import type { Override } from './read-pack.ts'

/** `same`: the file exists already. `keep`: the user changed or removed it. */
export type FileVerdict = 'add' | 'replace' | 'same' | 'keep'

export interface FileComparison {
  fate: FileVerdict
  /** Destination: follows a predecessor that was moved or disabled. */
  to: string
  yours?: ManualChange
}

/** A manual change; `theirs` is the pack's file for it. */
export interface ManualChange {
  path: string
  kind: 'changed' | 'updated' | 'removed' | 'added'
  theirs?: string
}

interface OwnMod {
  path: string
  sha512: string
  project: string | null
}

export interface ComparisonContext {
  before: PackRecord | null
  /** Paths where the pack's file replaces the user's. */
  overwrite: readonly string[]
  projectsOf: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Cached hashes; null: read everything, as needed before replacing files. */
  hashes: ServerHashes | null
  signal: AbortSignal
}

const OFF = '.disabled'
const MODS = 'mods'
/** Limit of mods examined; the user's other mods are kept and not listed. */
const OWN_MOST = 2000

export class PackComparison {
  readonly #files: ServerFiles
  readonly #signal: AbortSignal
  readonly #hashes: ServerHashes | null
  readonly #before: PackRecord | null
  readonly #was: ReadonlyMap<string, PackRecord['files'][number]>
  readonly #off = new Set<string>()
  readonly #there = new Set<string>()
  readonly #own: OwnMod[] = []
  readonly #overwrite: ReadonlySet<string>
  readonly #worlds: readonly string[]

  private constructor(
    files: ServerFiles,
    { before, overwrite, hashes, signal }: ComparisonContext,
    worlds: readonly string[],
  ) {
    this.#files = files
    this.#before = before
    this.#overwrite = new Set(overwrite.map(sameName))
    this.#worlds = worlds
    this.#signal = signal
    this.#hashes = hashes
    this.#was = new Map(before?.files.map((one) => [sameName(one.path), one]))
  }

  static async of(files: ServerFiles, given: ComparisonContext): Promise<PackComparison> {
    const { level } = await readWorldSettings(files)
    const comparison = new PackComparison(files, given, worldNames(level))
    for (const { path, sha1, project } of given.before?.files ?? []) {
      if (!project || !path.endsWith('.jar')) continue
      if ((await comparison.#lookAt(path + OFF))?.sha1 === sha1) comparison.#off.add(project)
      else if ((await comparison.#lookAt(path)) === null) continue
      comparison.#there.add(project)
    }
    await comparison.#findOwn(given.projectsOf)
    return comparison
  }

  /** Manually added mods, except those that replace one of the pack's. */
  added(compared: readonly FileComparison[]): ManualChange[] {
    const told = new Set(compared.flatMap(({ to, yours }) => [sameName(to), sameName(yours?.path ?? to)]))
    return this.#own
      .filter(({ path }) => !told.has(sameName(path)))
      .map(({ path }) => ({ path, kind: 'added' }))
  }

  async fetched(file: Pick<PackFile, 'path' | 'sha1' | 'urls'>): Promise<FileComparison> {
    const project = projectOf(file.urls)
    const to = project !== null && this.#off.has(project) ? file.path + OFF : file.path
    const compared = await this.#compare(file.path, to, ({ sha1 }) => sha1 === file.sha1)
    const isThere = compared.fate !== 'add' && compared.yours?.kind !== 'removed'
    if (project === null || isThere) return compared
    const { path: theirs } = file
    const own = this.#own.find((one) => one.project === project && sameName(one.path) !== sameName(to))
    if (own) {
      const yours = { path: own.path, kind: 'updated', theirs } as const
      return this.#overwrite.has(sameName(own.path))
        ? { fate: 'add', to, yours }
        : { fate: 'keep', to: own.path, yours }
    }
    const isOfBefore = this.#before?.files.some((one) => one.project === project) === true
    if (!theirs.endsWith('.jar') || !isOfBefore || this.#there.has(project) || compared.yours) return compared
    return this.#unlessRemoved(compared, theirs)
  }

  /** The current version of a file from this very pack, possibly updated; null if the user removed or disabled it. */
  async inPlaceOf(
    file: Pick<PackFile, 'path' | 'sha1' | 'sha512' | 'urls'>,
  ): Promise<Pick<PackFile, 'path' | 'sha512'> | null> {
    const { fate, to, yours } = await this.fetched(file)
    if (to.endsWith(OFF) || yours?.kind === 'removed' || fate === 'add') return null
    const own = fate === 'same' ? undefined : this.#own.find(({ path }) => sameName(path) === sameName(to))
    return own ?? file
  }

  override({ path, crc, size }: Override): Promise<FileComparison> {
    return this.#compare(path, path, (there) => there.crc === crc && there.size === size)
  }

  async #compare(
    path: string,
    to: string,
    isSame: (there: Omit<FileDigests, 'sha512'>) => boolean,
  ): Promise<FileComparison> {
    const was = this.#was.get(sameName(path))
    const there = await this.#lookAt(to)
    if (there === null) {
      // The user removed exactly this file of the previous pack.
      const isRemoved =
        was !== undefined && isSame({ sha1: was.sha1, crc: was.crc ?? NaN, size: was.size ?? NaN })
      return isRemoved && to === path ? this.#unlessRemoved({ fate: 'add', to }, path) : { fate: 'add', to }
    }
    if (isSame(there)) return { fate: 'same', to }
    if (there.sha1 === was?.sha1) return { fate: 'replace', to }
    if (this.#worlds.some((world) => path.startsWith(`${world}/`))) return { fate: 'keep', to }
    const isProgram = /\.jar(?:\.disabled)?$/i.test(path)
    if (!was && (isProgram || !this.#before)) return { fate: 'replace', to }
    const fate = this.#overwrite.has(sameName(to)) ? 'replace' : 'keep'
    return { fate, to, yours: { path: to, kind: 'changed' } }
  }

  #unlessRemoved(compared: FileComparison, path: string): FileComparison {
    const yours = { path, kind: 'removed' } as const
    return { ...compared, fate: this.#overwrite.has(sameName(path)) ? compared.fate : 'keep', yours }
  }

  async #findOwn(projectsOf: ComparisonContext['projectsOf']): Promise<void> {
    const found: { path: string; sha512: string; project: string | null }[] = []
    for (const path of this.#modsThere().slice(0, OWN_MOST)) {
      const there = await this.#lookAt(path)
      const was = this.#was.get(sameName(path.endsWith(OFF) ? path.slice(0, -OFF.length) : path))
      if (there && there.sha1 !== was?.sha1)
        found.push({ path, sha512: there.sha512, project: was?.project ?? null })
    }
    if (found.length === 0) return
    const projects = await projectsOf(found.map(({ sha512 }) => sha512))
    this.#own.push(...found.map((one) => ({ ...one, project: projects.get(one.sha512) ?? one.project })))
  }

  #modsThere(): string[] {
    try {
      using mods = this.#files.open(MODS)
      const jars = mods
        .entriesNow()
        .filter(({ name, kind }) => kind === 'file' && /\.jar(?:\.disabled)?$/.test(name))
      return jars.map(({ name }) => `${MODS}/${name}`).sort()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (error instanceof Refusal || code === 'ENOENT' || code === 'ENOTDIR') return []
      throw error
    }
  }

  /** Files of the previous pack that the new one lacks: paths to delete, and those the user has changed. */
  async leftOver(
    compared: readonly FileComparison[],
  ): Promise<{ removed: string[]; kept: string[]; yours: ManualChange[] }> {
    const stays = new Set(compared.map(({ to }) => sameName(to)))
    const [removed, kept, yours]: [string[], string[], ManualChange[]] = [[], [], []]
    // The pack's version replaces the one the user had installed.
    for (const { fate, yours: own } of compared)
      if (own?.kind === 'updated' && fate !== 'keep') removed.push(own.path)
    for (const { path, sha1 } of this.#before?.files ?? []) {
      for (const at of [path, ...(path.endsWith('.jar') ? [path + OFF] : [])]) {
        const there = stays.has(sameName(at)) ? null : await this.#lookAt(at)
        if (!there) continue
        if (there.sha1 !== sha1) yours.push({ path: at, kind: 'changed' })
        const stay = there.sha1 !== sha1 && !this.#overwrite.has(sameName(at))
        ;(stay ? kept : removed).push(at)
      }
    }
    return { removed, kept, yours }
  }

  async #lookAt(path: string): Promise<FileDigests | null> {
    this.#signal.throwIfAborted()
    try {
      using located = this.#files.locate(path)
      if (!lstatSync(located.at).isFile()) return null
      await using handle = await open(located.at, READ_FLAGS)
      return await lookInto(handle, path, this.#hashes, this.#signal)
    } catch (error) {
      this.#signal.throwIfAborted()
      const { code } = error as NodeJS.ErrnoException
      if (error instanceof Refusal || code === 'ENOENT' || code === 'ENOTDIR') return null
      throw error
    }
  }
}
