import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { BoundedMap } from '../../../host/bounded-map.ts'

export interface FileDigests {
  sha1: string
  sha512: string
  crc: number
  size: number
}

const PIECE = 256 * 1024
const FILES_MOST = 5000
const SERVERS_MOST = 50

export type ServerHashes = BoundedMap<{ mark: string; there: FileDigests }>

export class KeptHashes {
  readonly #servers = new BoundedMap<ServerHashes>(SERVERS_MOST)

  of(serverId: string): ServerHashes {
    const hashes = this.#servers.get(serverId) ?? new BoundedMap(FILES_MOST)
    this.#servers.set(serverId, hashes)
    return hashes
  }
}

/** Changes with every write, except a same-sized one within the same few ms. */
const markOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${ino}.${size}.${mtimeNs}.${ctimeNs}`

/** Hashes an open file, or uses the cache. Caches the result only if nothing wrote to the file meanwhile. */
export async function lookInto(
  handle: FileHandle,
  path: string,
  kept: ServerHashes | null,
  signal: AbortSignal,
): Promise<FileDigests> {
  const mark = markOf(await handle.stat({ bigint: true }))
  const known = kept?.get(path)
  if (known?.mark === mark) return known.there
  const there = await hashed(handle, signal)
  if (kept && markOf(await handle.stat({ bigint: true })) === mark) kept.set(path, { mark, there })
  return there
}

async function hashed(handle: FileHandle, signal: AbortSignal): Promise<FileDigests> {
  const [sha1, sha512] = [createHash('sha1'), createHash('sha512')]
  const piece = Buffer.allocUnsafe(PIECE)
  let [crc, size] = [0, 0]
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, PIECE, size)
    if (bytesRead === 0) return { sha1: sha1.digest('hex'), sha512: sha512.digest('hex'), crc, size }
    signal.throwIfAborted()
    const bytes = piece.subarray(0, bytesRead)
    sha1.update(bytes)
    sha512.update(bytes)
    crc = crc32(bytes, crc)
    size += bytesRead
  }
}
