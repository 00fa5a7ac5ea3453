import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Checksum, RemoteFile } from '../catalogue.ts'

/** What a file on the disk is. */
export interface Digests {
  /** Lower-case hex. */
  sha256: string
  /** In the algorithm that was asked for; null where none was. */
  asked: string | null
  /** Bytes. */
  size: number
}

/** Tells what bytes are while they pass, so that nobody has to read them once more for it. */
export class Digesting {
  readonly #algorithm: Checksum['algorithm'] | null
  readonly #sha256 = createHash('sha256')
  readonly #other: Hash | null
  #size = 0

  /** `algorithm`: what is asked for beside SHA-256. */
  constructor(algorithm: Checksum['algorithm'] | null) {
    this.#algorithm = algorithm
    this.#other = algorithm && algorithm !== 'sha256' ? createHash(algorithm) : null
  }

  /** Bytes that have passed. */
  get size(): number {
    return this.#size
  }

  add(bytes: Uint8Array): void {
    this.#sha256.update(bytes)
    this.#other?.update(bytes)
    this.#size += bytes.length
  }

  /** Adds the first bytes of a file; fewer where it has fewer. Rejects as reading does, and with the signal's reason. */
  async addFile(file: string, most: number, signal: AbortSignal): Promise<void> {
    // The end that a stream is given is one that it still reads.
    if (most === 0) return
    const options = { highWaterMark: 256 * 1024, end: most - 1, signal }
    for await (const bytes of createReadStream(file, options)) this.add(bytes as Buffer)
  }

  /** To be asked once: nothing can be added after it. */
  digests(): Digests {
    const sha256 = this.#sha256.digest('hex')
    return { sha256, asked: this.#algorithm && (this.#other?.digest('hex') ?? sha256), size: this.#size }
  }
}

/** Reads a file and answers what it is. Rejects as reading does, and with the signal's reason. */
export async function digestsOf(
  file: string,
  algorithm: Checksum['algorithm'] | null,
  signal: AbortSignal,
): Promise<Digests> {
  const digesting = new Digesting(algorithm)
  await digesting.addFile(file, Infinity, signal)
  return digesting.digests()
}

/** Whether that is the file the catalogue speaks of. */
export function isTheFile({ size, checksum }: RemoteFile, digests: Digests): boolean {
  if (size !== null && size !== digests.size) return false
  return checksum === null || checksum.value === digests.asked
}
