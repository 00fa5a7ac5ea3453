import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, realpath, symlink, type FileHandle } from 'node:fs/promises'
import path from 'node:path'

export interface UnpackLimits {
  mostEntries: number
  mostBytes: number
  mostDepth: number
}

/** Concurrent fsyncs; they occupy shared threads. */
const SYNCED_AT_ONCE = 2
const MOST_NAME = 1000

/** Target folder of an archive. Links are created last and must stay inside, so nothing is written through one. */
export class ExtractionFolder {
  readonly #folder: string
  readonly #limits: UnpackLimits
  readonly #syncing = new Set<Promise<void>>()
  #unsynced: { error: unknown } | null = null
  readonly #links: { at: string; to: string }[] = []
  readonly #copies: { at: string; from: string }[] = []
  readonly #folders = new Set<string>()
  #entries = 0
  #bytes = 0
  #refused: Error | null = null

  constructor(folder: string, limits: UnpackLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** The reason, since streams replace errors by their own. */
  get refused(): Error | null {
    return this.#refused
  }

  /** Remembers and returns the error. `reason`: part of a sentence. */
  refuse(reason: string): Error {
    return (this.#refused ??= new Error(`The archive can't be extracted: ${reason}. Nothing was installed.`))
  }

  cameOut(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.mostBytes)
      throw this.refuse(`it is larger than ${this.#limits.mostBytes} bytes`)
  }

  async folder(name: string): Promise<void> {
    const parts = this.#partsOf(name)
    await this.#makeFolder(parts)
  }

  async file(name: string, mode: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const at = await this.#placeFor(name)
    // Only the executable bit is honored.
    const handle = await open(at, 'wx', mode & 0o111 ? 0o755 : 0o644).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? this.#twice(name) : error
    })
    try {
      for await (const chunk of content) await handle.writeFile(chunk)
    } catch (error) {
      await handle.close()
      throw error
    }
    await this.#sync(handle)
  }

  /** `to` is relative to the link. */
  link(name: string, to: string): void {
    const parts = this.#partsOf(name)
    const within = path.posix.join(...parts.slice(0, -1), to)
    if (parts.length === 0 || to === '' || this.#leadsOut(to) || within === '..' || within.startsWith('../'))
      throw this.#outside(name)
    this.#links.push({ at: parts.join('/'), to })
  }

  /** A hard link; `from` is relative to the archive. */
  copy(name: string, from: string): void {
    this.#copies.push({ at: this.#partsOf(name).join('/'), from: this.#partsOf(from).join('/') })
  }

  async finish(signal: AbortSignal): Promise<void> {
    for (const { at, from } of this.#copies) {
      const source = path.join(this.#folder, ...from.split('/'))
      const stat = await lstat(source).catch(() => null)
      if (!stat?.isFile()) throw this.refuse('a link in it leads nowhere')
      this.cameOut(stat.size)
      const to = await this.#placeFor(at, false)
      await copyFile(source, to, constants.COPYFILE_EXCL)
      await this.#sync(await open(to, 'r+'))
    }
    for (const { at, to } of this.#links) await symlink(to, await this.#placeFor(at, false))
    const root = await realpath(this.#folder)
    for (const { at } of this.#links) {
      const leadsTo = await realpath(path.join(this.#folder, ...at.split('/'))).catch(() => null)
      if (leadsTo === null) throw this.refuse('a link in it leads nowhere')
      if (!leadsTo.startsWith(root + path.sep)) throw this.#outside(at)
    }
    signal.throwIfAborted()
    await this.settled()
    if (this.#unsynced) throw this.#unsynced.error
  }

  /** Waits for pending writes, even after a failure. */
  async settled(): Promise<void> {
    await Promise.all(this.#syncing)
  }

  /** Syncs and closes in the background. */
  async #sync(handle: FileHandle): Promise<void> {
    const syncing = handle
      .sync()
      .finally(() => handle.close())
      .catch((error: unknown) => void (this.#unsynced ??= { error }))
      .finally(() => this.#syncing.delete(syncing))
    this.#syncing.add(syncing)
    if (this.#syncing.size >= SYNCED_AT_ONCE) await Promise.race(this.#syncing)
    if (this.#unsynced) throw this.#unsynced.error
  }

  async #placeFor(name: string, count = true): Promise<string> {
    const parts = this.#partsOf(name, count)
    if (parts.length === 0) throw this.refuse('a file in it has no name')
    await this.#makeFolder(parts.slice(0, -1))
    return path.join(this.#folder, ...parts)
  }

  async #makeFolder(parts: string[]): Promise<void> {
    const key = parts.join('/')
    if (key === '' || this.#folders.has(key)) return
    await mkdir(path.join(this.#folder, ...parts), { recursive: true }).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException
      throw code === 'EEXIST' || code === 'ENOTDIR' ? this.#twice(key) : error
    })
    this.#folders.add(key)
  }

  /** Throws if it escapes the folder, or there are too many. */
  #partsOf(name: string, count = true): string[] {
    if (count && ++this.#entries > this.#limits.mostEntries)
      throw this.refuse(`it contains more than ${this.#limits.mostEntries} files`)
    if (name.length > MOST_NAME) throw this.#tooDeep()
    const parts = name.split('/').filter((part) => part !== '' && part !== '.')
    if (this.#leadsOut(parts.join('/')) || parts.includes('..')) throw this.#outside(name)
    if (parts.length > this.#limits.mostDepth) throw this.#tooDeep()
    return parts
  }

  /** Absolute on any system. */
  #leadsOut(name: string): boolean {
    return /^\/|[\\\0]|^[A-Za-z]:/.test(name)
  }

  #tooDeep(): Error {
    return this.refuse('its folders are too deep, or a name in it is too long')
  }

  #outside(name: string): Error {
    return this.refuse(`${JSON.stringify(name.slice(0, 100))} in it leads out of its folder`)
  }

  #twice(name: string): Error {
    return this.refuse(`it contains ${JSON.stringify(name.slice(0, 100))} twice`)
  }
}
