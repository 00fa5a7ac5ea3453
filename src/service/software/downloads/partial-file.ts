import { mkdirSync, rmSync, statSync } from 'node:fs'
import { open, rm, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'
import type { Checksum } from '../catalog.ts'
import { RunningDigest, type Digests } from './digests.ts'

type Algorithm = Checksum['algorithm'] | null

const Identity = z.object({
  /** Strong entity tag; null if none: then it can't be resumed. */
  etag: z.string().max(1000).nullable(),
  /** Size of the whole file; null if unknown. */
  total: z.number().int().nonnegative().nullable(),
  /** Ms, counting across restarts. */
  seenAt: z.number(),
})
type Identity = z.infer<typeof Identity>

export const NOTE = '.json'

/** Never resumed without its note. Hashed while it arrives; bytes of an earlier run are read once. */
export class PartialFile {
  readonly file: string
  readonly #algorithm: Algorithm
  #bytes: number
  #identity: Identity | null
  #digesting: RunningDigest

  private constructor(file: string, bytes: number, identity: Identity | null, algorithm: Algorithm) {
    this.file = file
    this.#bytes = bytes
    this.#identity = identity
    this.#algorithm = algorithm
    this.#digesting = new RunningDigest(algorithm)
  }

  /** Discards earlier bytes if there is no checksum: a power failure could have damaged them unnoticed. */
  static async open(folder: string, key: string, checksum: Checksum | null): Promise<PartialFile> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, key)
    const identity = checksum && (await readPartialNote(file))
    const stat = identity?.etag ? statSync(file, { throwIfNoEntry: false }) : undefined
    const algorithm = checksum?.algorithm ?? null
    if (!identity || !stat?.isFile()) return new PartialFile(file, 0, null, algorithm)
    return new PartialFile(file, stat.size, identity, algorithm)
  }

  get bytes(): number {
    return this.#bytes
  }

  get identity(): Identity | null {
    return this.#identity
  }

  get isWhole(): boolean {
    return this.#identity?.total === this.#bytes
  }

  /** Starts over. Deletes old bytes first, so a kill can't pair the note with other bytes. */
  async begin(identity: Identity): Promise<void> {
    await this.discard()
    await (await open(this.file, 'wx', 0o600)).close()
    this.#identity = identity
    if (identity.etag) writeDataFile(this.file + NOTE, JSON.stringify(identity))
  }

  async catchUp(signal: AbortSignal): Promise<void> {
    if (this.#digesting.size === this.#bytes) return
    this.#digesting = new RunningDigest(this.#algorithm)
    await this.#digesting.addFile(this.file, this.#bytes, signal).catch(() => signal.throwIfAborted())
    // It shrank or is unreadable.
    if (this.#digesting.size !== this.#bytes) await this.discard()
  }

  /** The caller closes it. */
  async openToAdd(): Promise<FileHandle> {
    // A failed write may have left extra bytes.
    await truncate(this.file, this.#bytes)
    return open(this.file, 'r+')
  }

  async add(handle: FileHandle, chunk: Uint8Array): Promise<void> {
    const writing = this.#write(handle, chunk)
    // While the write is pending.
    this.#digesting.add(chunk)
    await writing
    this.#bytes += chunk.length
  }

  async #write(handle: FileHandle, chunk: Uint8Array): Promise<void> {
    let written = 0
    while (written < chunk.length) {
      const { bytesWritten } = await handle.write(
        chunk,
        written,
        chunk.length - written,
        this.#bytes + written,
      )
      written += bytesWritten
    }
  }

  /** Null if the file isn't what arrived. Call once. Not synced, so verify after a power failure. */
  digests(): Digests | null {
    const size = statSync(this.file, { throwIfNoEntry: false })?.size
    const digests = this.#digesting.digests()
    return size === this.#bytes && size === digests.size ? digests : null
  }

  async discard(): Promise<void> {
    await removePartial(this.file)
    this.#bytes = 0
    this.#identity = null
    this.#digesting = new RunningDigest(this.#algorithm)
  }

  forgetNote(): void {
    rmSync(this.file + NOTE, { recursive: true, force: true })
  }
}

export const readPartialNote = (file: string): Promise<Identity | null> =>
  readDataJson(file + NOTE, (value) => Identity.parse(value))

/** The note first, so a kill can't pair it with other bytes. */
export async function removePartial(file: string): Promise<void> {
  for (const name of [file + NOTE, file]) await rm(name, { recursive: true, force: true })
}
