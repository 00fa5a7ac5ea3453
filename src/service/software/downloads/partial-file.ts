import { mkdirSync, rmSync, statSync } from 'node:fs'
import { open, rm, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readKeptJson, writeKept } from '../../../computer/kept-file.ts'

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

/** What has arrived of a file, with a note beside it that says of which: what has no note is never added to. */
export class PartialFile {
  readonly file: string
  #bytes: number
  #identity: Identity | null

  private constructor(file: string, bytes: number, identity: Identity | null) {
    this.file = file
    this.#bytes = bytes
    this.#identity = identity
  }

  /** Opens what an earlier run may have left; `anew` where it may not be used. */
  static async open(folder: string, key: string, anew: boolean): Promise<PartialFile> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, key)
    const identity = anew ? null : await readPartialNote(file)
    const stat = identity?.etag ? statSync(file, { throwIfNoEntry: false }) : undefined
    if (!identity || !stat?.isFile()) return new PartialFile(file, 0, null)
    return new PartialFile(file, stat.size, identity)
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
    if (identity.etag) writeKept(this.file + NOTE, JSON.stringify(identity))
  }

  /** Opened for more; who opens it closes it. */
  async openToAdd(): Promise<FileHandle> {
    // A write that failed halfway may have left more than was counted.
    await truncate(this.file, this.#bytes)
    return open(this.file, 'r+')
  }

  async add(handle: FileHandle, chunk: Uint8Array): Promise<void> {
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
    this.#bytes += chunk.length
  }

  /** Until it is on the disk. */
  async sync(): Promise<void> {
    const handle = await open(this.file, 'r+')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** Throws away what is there. */
  async discard(): Promise<void> {
    this.forgetNote()
    await rm(this.file, { recursive: true, force: true })
    this.#bytes = 0
    this.#identity = null
  }

  /** The bytes are somewhere else now. */
  forgetNote(): void {
    rmSync(this.file + NOTE, { recursive: true, force: true })
  }
}

/** The note beside a partial file; null where there is none that can be read. */
export const readPartialNote = (file: string): Promise<Identity | null> =>
  readKeptJson(file + NOTE, (value) => Identity.parse(value))
