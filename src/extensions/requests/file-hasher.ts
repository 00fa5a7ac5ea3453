import { createHash } from 'node:crypto'
import type { FileHashes } from '../catalogs/extension-catalog.ts'
import type { Checksum } from './remote-file.ts'

/** The hashes by which catalogs know a file, of bytes as they pass. */
export class FileHasher {
  readonly #hashes = new Map(
    (['md5', 'sha1', 'sha256', 'sha512'] as const).map((name) => [name, createHash(name)]),
  )
  readonly #done = new Map<Checksum['algorithm'], string>()
  size = 0

  add(bytes: Uint8Array): void {
    for (const hash of this.#hashes.values()) hash.update(bytes)
    this.size += bytes.length
  }

  /** Hex. Nothing can be added afterwards. */
  of(algorithm: Checksum['algorithm']): string {
    const hex = this.#done.get(algorithm) ?? this.#hashes.get(algorithm)!.digest('hex')
    this.#done.set(algorithm, hex)
    return hex
  }

  get hashes(): FileHashes {
    return { sha1: this.of('sha1'), sha256: this.of('sha256'), sha512: this.of('sha512') }
  }
}
