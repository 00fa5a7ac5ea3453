import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Checksum, RemoteFile } from '../catalog.ts'

export interface Digests {
  sha256: string
  /** In the requested algorithm; null if none. */
  asked: string | null
  size: number
}

/** Hashes bytes as they pass, so files needn't be read again. */
export class RunningDigest {
  readonly #algorithm: Checksum['algorithm'] | null
  readonly #sha256 = createHash('sha256')
  readonly #other: Hash | null
  #size = 0

  constructor(algorithm: Checksum['algorithm'] | null) {
    this.#algorithm = algorithm
    this.#other = algorithm && algorithm !== 'sha256' ? createHash(algorithm) : null
  }

  get size(): number {
    return this.#size
  }

  add(bytes: Uint8Array): void {
    this.#sha256.update(bytes)
    this.#other?.update(bytes)
    this.#size += bytes.length
  }

  /** Adds up to `most` bytes of a file. */
  async addFile(file: string, most: number, signal: AbortSignal): Promise<void> {
    // A stream's `end` is inclusive.
    if (most === 0) return
    const options = { highWaterMark: 256 * 1024, end: most - 1, signal }
    for await (const bytes of createReadStream(file, options)) this.add(bytes as Buffer)
  }

  /** Call once, last. */
  digests(): Digests {
    const sha256 = this.#sha256.digest('hex')
    return { sha256, asked: this.#algorithm && (this.#other?.digest('hex') ?? sha256), size: this.#size }
  }
}

export async function digestsOf(
  file: string,
  algorithm: Checksum['algorithm'] | null,
  signal: AbortSignal,
): Promise<Digests> {
  const digesting = new RunningDigest(algorithm)
  await digesting.addFile(file, Infinity, signal)
  return digesting.digests()
}

export function isTheFile({ size, checksum }: RemoteFile, digests: Digests): boolean {
  if (size !== null && size !== digests.size) return false
  return checksum === null || checksum.value === digests.asked
}
