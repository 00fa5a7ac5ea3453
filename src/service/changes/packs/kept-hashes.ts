import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { Remembered } from '../../extensions/catalogs/remembered.ts'

/** What a file of a server is. */
export interface There {
  sha1: string
  sha512: string
  crc: number
  size: number
}

/** Read at once, in bytes. */
const PIECE = 256 * 1024
/** Files of one server whose hashes are remembered, and servers. */
const FILES_MOST = 5000
const SERVERS_MOST = 50

/** Hashes of one server's files by their paths, each of the file that has this mark. */
export type HashesOfServer = Remembered<{ mark: string; there: There }>

/** Hashes of servers' files, so that what stays as it is need not be read for each who asks. */
export class KeptHashes {
  readonly #servers = new Remembered<HashesOfServer>(SERVERS_MOST)

  of(serverId: string): HashesOfServer {
    const hashes = this.#servers.get(serverId) ?? new Remembered(FILES_MOST)
    this.#servers.set(serverId, hashes)
    return hashes
  }
}

/** Who writes to a file changes one of these, unless it is as many bytes within the same few milliseconds. */
const markOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${ino}.${size}.${mtimeNs}.${ctimeNs}`

/** What an open file is: as it is remembered, else it is read, and remembered where nobody has written to it meanwhile. */
export async function lookInto(
  handle: FileHandle,
  path: string,
  kept: HashesOfServer | null,
  signal: AbortSignal,
): Promise<There> {
  const mark = markOf(await handle.stat({ bigint: true }))
  const known = kept?.get(path)
  if (known?.mark === mark) return known.there
  const there = await hashed(handle, signal)
  if (kept && markOf(await handle.stat({ bigint: true })) === mark) kept.set(path, { mark, there })
  return there
}

async function hashed(handle: FileHandle, signal: AbortSignal): Promise<There> {
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
