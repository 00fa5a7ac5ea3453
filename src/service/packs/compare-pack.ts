import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { READ_FLAGS, type ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../refusal.ts'
import { worldNames } from '../changes/parts.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { projectOf, type PackFile } from './pack-index.ts'
import { sameName } from './pack-paths.ts'
import type { PackRecord } from './pack-record.ts'
import type { Override } from './read-pack.ts'

/** What a file of a server is. */
interface There {
  sha1: string
  crc: number
  size: number
}

/**
 * What becomes of a file of a pack: it comes (`add`), comes in the place of another one (`replace`), is there as it is
 * (`same`), or somebody has changed or removed what is there, which stays so (`keep`).
 */
export type Fate = 'add' | 'replace' | 'same' | 'keep'

/** One file of the server as it is before a pack comes. */
export interface Compared {
  fate: Fate
  /** Where it comes to: with the ending of what is turned off, where its predecessor was. */
  to: string
}

/** Ends what is turned off. */
const OFF = '.disabled'
const PIECE = 256 * 1024

/** Compares what a pack brings with what a server has, and with what the pack before it had brought. */
export class PackComparison {
  readonly #files: ServerFiles
  readonly #signal: AbortSignal
  readonly #before: PackRecord | null
  readonly #was: ReadonlyMap<string, PackRecord['files'][number]>
  /** Projects of which the person has turned off what the pack before had brought. */
  readonly #off = new Set<string>()
  readonly #worlds: readonly string[]

  private constructor(
    files: ServerFiles,
    before: PackRecord | null,
    worlds: readonly string[],
    signal: AbortSignal,
  ) {
    this.#files = files
    this.#before = before
    this.#worlds = worlds
    this.#signal = signal
    this.#was = new Map(before?.files.map((one) => [sameName(one.path), one]))
  }

  static async of(
    files: ServerFiles,
    before: PackRecord | null,
    signal: AbortSignal,
  ): Promise<PackComparison> {
    const { level } = await readWorldSettings(files)
    const comparison = new PackComparison(files, before, worldNames(level), signal)
    for (const { path, sha1, project } of before?.files ?? []) {
      if (!project || !path.endsWith('.jar')) continue
      if ((await comparison.#there(path + OFF))?.sha1 === sha1) comparison.#off.add(project)
    }
    return comparison
  }

  /** What becomes of a file that is fetched. */
  fetched(file: PackFile): Promise<Compared> {
    const project = projectOf(file.urls)
    const to = project !== null && this.#off.has(project) ? file.path + OFF : file.path
    return this.#compare(file.path, to, ({ sha1 }) => sha1 === file.sha1)
  }

  /** What becomes of a file that comes within the pack. */
  override({ path, crc, size }: Override): Promise<Compared> {
    return this.#compare(path, path, (there) => there.crc === crc && there.size === size)
  }

  async #compare(path: string, to: string, isSame: (there: There) => boolean): Promise<Compared> {
    const was = this.#was.get(sameName(path))
    const there = await this.#there(to)
    if (there === null) {
      // Somebody has removed what the pack had brought in just this form.
      const isRemoved =
        was !== undefined && isSame({ sha1: was.sha1, crc: was.crc ?? NaN, size: was.size ?? NaN })
      return { fate: isRemoved && to === path ? 'keep' : 'add', to }
    }
    if (isSame(there)) return { fate: 'same', to }
    if (there.sha1 === was?.sha1) return { fate: 'replace', to }
    if (was) return { fate: 'keep', to }
    const isWorlds = this.#worlds.some((world) => path.startsWith(`${world}/`))
    const isProgram = /\.jar(?:\.disabled)?$/i.test(path)
    return { fate: isWorlds || (this.#before && !isProgram) ? 'keep' : 'replace', to }
  }

  /**
   * What of the pack before does not come again: paths that go, and those that somebody has changed.
   *
   * @param coming paths at which something of the new pack is from now on
   */
  async leftOver(coming: readonly string[]): Promise<{ removed: string[]; kept: string[] }> {
    const stays = new Set(coming.map(sameName))
    const [removed, kept]: [string[], string[]] = [[], []]
    for (const { path, sha1 } of this.#before?.files ?? []) {
      for (const at of [path, ...(path.endsWith('.jar') ? [path + OFF] : [])]) {
        const there = stays.has(sameName(at)) ? null : await this.#there(at)
        if (there) (there.sha1 === sha1 ? removed : kept).push(at)
      }
    }
    return { removed, kept }
  }

  /** Null where nothing is, or something that is no file. */
  async #there(path: string): Promise<There | null> {
    this.#signal.throwIfAborted()
    try {
      using located = this.#files.locate(path)
      if (!lstatSync(located.at).isFile()) return null
      await using handle = await open(located.at, READ_FLAGS)
      const sha1 = createHash('sha1')
      const piece = Buffer.allocUnsafe(PIECE)
      let [crc, size] = [0, 0]
      for (;;) {
        const { bytesRead } = await handle.read(piece, 0, PIECE, size)
        if (bytesRead === 0) return { sha1: sha1.digest('hex'), crc, size }
        this.#signal.throwIfAborted()
        const bytes = piece.subarray(0, bytesRead)
        sha1.update(bytes)
        crc = crc32(bytes, crc)
        size += bytesRead
      }
    } catch (error) {
      this.#signal.throwIfAborted()
      const { code } = error as NodeJS.ErrnoException
      if (error instanceof Refusal || code === 'ENOENT' || code === 'ENOTDIR') return null
      throw error
    }
  }
}
