import { mkdirSync, rmSync, statSync } from 'node:fs'
import { open, rm, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../../host/data-file.ts'
import type { Checksum } from '../catalogue.ts'
import { Digesting, type Digests } from './digests.ts'

type Algorithm = Checksum['algorithm'] | null

/** What says which file the bytes are of. */
const Identity = z.object({
  /** A strong entity tag of the server; null where it gave none, and then nothing can be added later. */
  etag: z.string().max(1000).nullable(),
  /** Bytes of the whole file; null where the server did not say. */
  total: z.number().int().nonnegative().nullable(),
  /** By the clock that counts over restarts, in milliseconds. */
  seenAt: z.number(),
})
export type Identity = z.infer<typeof Identity>

/** How the note beside a partial file is called. */
export const NOTE = '.json'

/**
 * What has arrived of a file, with a note beside it that says of which: what has no note is never added to. Its checksum is
 * counted while it arrives; what an earlier run has left is read once for that.
 */
export class PartialFile {
  readonly file: string
  readonly #algorithm: Algorithm
  #bytes: number
  #identity: Identity | null
  #digesting: Digesting

  private constructor(file: string, bytes: number, identity: Identity | null, algorithm: Algorithm) {
    this.file = file
    this.#bytes = bytes
    this.#identity = identity
    this.#algorithm = algorithm
    this.#digesting = new Digesting(algorithm)
  }

  /**
   * Opens what an earlier run may have left. Without a checksum it is not used: nobody would notice what a power failure
   * did to bytes that were not yet on the disk.
   */
  static async open(folder: string, key: string, checksum: Checksum | null): Promise<PartialFile> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, key)
    const identity = checksum && (await readPartialNote(file))
    const stat = identity?.etag ? statSync(file, { throwIfNoEntry: false }) : undefined
    const algorithm = checksum?.algorithm ?? null
    if (!identity || !stat?.isFile()) return new PartialFile(file, 0, null, algorithm)
    return new PartialFile(file, stat.size, identity, algorithm)
  }

  /** Bytes that are there. */
  get bytes(): number {
    return this.#bytes
  }

  get identity(): Identity | null {
    return this.#identity
  }

  /** Whether all that the server spoke of is there. */
  get isWhole(): boolean {
    return this.#identity?.total === this.#bytes
  }

  /** Begins anew with another identity. What was there goes first, so that a kill leaves no note for other bytes. */
  async begin(identity: Identity): Promise<void> {
    await this.discard()
    await (await open(this.file, 'wx', 0o600)).close()
    this.#identity = identity
    if (identity.etag) writeDataFile(this.file + NOTE, JSON.stringify(identity))
  }

  /** Reads what an earlier run has left. To be called before more is asked for: a server does not wait for it. */
  async catchUp(signal: AbortSignal): Promise<void> {
    if (this.#digesting.size === this.#bytes) return
    this.#digesting = new Digesting(this.#algorithm)
    await this.#digesting.addFile(this.file, this.#bytes, signal).catch(() => signal.throwIfAborted())
    // Nothing is added to what became shorter meanwhile, or cannot be read.
    if (this.#digesting.size !== this.#bytes) await this.discard()
  }

  /** Opened for more; who opens it closes it. */
  async openToAdd(): Promise<FileHandle> {
    // A write that failed halfway may have left more than was counted.
    await truncate(this.file, this.#bytes)
    return open(this.file, 'r+')
  }

  async add(handle: FileHandle, chunk: Uint8Array): Promise<void> {
    const writing = this.#write(handle, chunk)
    // While the system writes it.
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

  /**
   * What it is; null where what is there is not what arrived. To be asked once: then it is kept or discarded. Nobody waits
   * for the disk: after a power failure it is read again before it is used, as whatever an earlier run has left.
   */
  digests(): Digests | null {
    const size = statSync(this.file, { throwIfNoEntry: false })?.size
    const digests = this.#digesting.digests()
    return size === this.#bytes && size === digests.size ? digests : null
  }

  /** Throws away what is there. */
  async discard(): Promise<void> {
    await removePartial(this.file)
    this.#bytes = 0
    this.#identity = null
    this.#digesting = new Digesting(this.#algorithm)
  }

  /** The bytes are somewhere else now. */
  forgetNote(): void {
    rmSync(this.file + NOTE, { recursive: true, force: true })
  }
}

/** The note beside a partial file; null where there is none that can be read. */
export const readPartialNote = (file: string): Promise<Identity | null> =>
  readDataJson(file + NOTE, (value) => Identity.parse(value))

/** Removes a partial file, its note first: a kill leaves no note for other bytes. */
export async function removePartial(file: string): Promise<void> {
  for (const name of [file + NOTE, file]) await rm(name, { recursive: true, force: true })
}
